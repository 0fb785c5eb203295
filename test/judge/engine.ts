// `npm run judge:engine`: everything over HTTP, with AWS's own DynamoDB Local as the engine. Prints JSON; exit code 0 only when all of it passes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { startDynamoDbLocal, VERSION } from './dynamodb-local.ts';

/** What cannot be asked of this engine. */
const LEFT_OUT = {};
const WITHIN_MS = 60 * 60_000;

const Report = z.object({
  numPassedTests: z.number(),
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const files = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'judge-engine-'));
const output = join(folder, 'report.json');
const begun = Date.now();
const engine = await startDynamoDbLocal();
try {
  const suite = spawn(
    'vitest',
    [
      'run',
      ...['--project', 'e2e*', '--maxWorkers', '2', '--reporter', 'dot', '--reporter', 'json'],
      ...['--outputFile.json', output],
      ...Object.keys(LEFT_OUT).flatMap((file) => ['--exclude', file]),
      ...files,
    ],
    { stdio: ['ignore', 2, 2], env: { ...process.env, OTHER_ENGINE: engine.url }, timeout: WITHIN_MS },
  );
  const [code] = await once(suite, 'exit');
  const report = Report.parse(JSON.parse(readFileSync(output, 'utf8')));
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ file, test: fullName, reason: failureMessages?.[0] }));
    return status === 'failed' && tests.length === 0 ? [{ file, reason: message }] : tests;
  });
  const verdict = {
    engine: `DynamoDB Local ${VERSION}`,
    files: report.testResults.length,
    tests: report.numTotalTests,
    passed: report.numPassedTests,
    failed,
    left_out: LEFT_OUT,
    took_s: Math.round((Date.now() - begun) / 1000),
  };
  process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
  process.exitCode = code === 0 && failed.length === 0 ? 0 : 1;
} finally {
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}
