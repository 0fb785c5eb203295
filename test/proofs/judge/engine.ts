// `npm run prove -- judge:engine [--operations 100000] [--seed 1] [FILE…]`: AWS's own DynamoDB Local beside the
// embedded engine, then in its place. First random operations on both, whose answers may differ only where a list says
// why; then everything over HTTP, with DynamoDB Local as the engine. Either part alone: `--operations 0` leaves out the
// first, `--only differences` the second; files limit the second to them. Prints JSON; exit code 0 only when all of it
// passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readReport } from '../vitest-report.ts';
import { startDynamoDbLocal, VERSION } from './dynamodb-local.ts';
import { dynamoDbLocal, embedded } from './engine-differences/engines.ts';
import { judgeDifferences, type Verdict } from './engine-differences/judge-differences.ts';

const WITHIN_MS = 60 * 60_000;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

async function differences(operations: number, seed: number): Promise<Verdict> {
  const [reference, candidate] = [await dynamoDbLocal(), embedded()];
  const tell = (text: string) => void process.stderr.write(`${text}\n`);
  return judgeDifferences({ reference, candidate, operations, seed, tell });
}

async function suite() {
  const folder = mkdtempSync(join(tmpdir(), 'judge-engine-'));
  const output = join(folder, 'report.json');
  const begun = Date.now();
  const engine = await startDynamoDbLocal();
  try {
    const vitest = spawn(
      'vitest',
      [
        'run',
        ...['--project', 'e2e*', '--maxWorkers', '2', '--reporter', 'dot', '--reporter', 'json'],
        ...['--outputFile.json', output],
        ...files,
      ],
      { stdio: ['ignore', 2, 2], env: { ...process.env, OTHER_ENGINE: engine.url }, timeout: WITHIN_MS },
    );
    const [code] = await once(vitest, 'exit');
    return {
      exit_code: Number(code),
      ...readReport(output),
      took_s: Math.round((Date.now() - begun) / 1000),
    };
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const operations = Number(values.operations);
const differing = operations > 0 ? await differences(operations, Number(values.seed)) : undefined;
const overHttp = values.only === 'differences' ? undefined : await suite();
const verdict = { engine: `DynamoDB Local ${VERSION}`, differences: differing, suite: overHttp };
process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
const isAlike = (differing?.differences ?? 0) === 0;
const hasPassed = overHttp === undefined || (overHttp.exit_code === 0 && overHttp.failed.length === 0);
process.exitCode = isAlike && hasPassed ? 0 : 1;
