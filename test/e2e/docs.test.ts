// The samples of README, docs and CONTRIBUTING, run as written against one service, started as the README says.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceProcess } from '../proofs/living/service-process.ts';
import { isPosix } from '../support/platform.ts';
import { until } from '../support/service.ts';
import { codeBlocks, commandsOf, runModule, sh } from '../support/snippets.ts';

// The flag changes none of the samples; with it the suite's assembly serves here, too.
const service = serviceProcess({ flags: ['--allow-local-callbacks'] });
beforeAll(() => (isPosix ? service.start() : undefined), 90_000);
afterAll(() => service.remove());

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

interface Shown {
  command: string;
  output: string;
}

/** What a console block shows: commands behind `$ `, which may span lines, and what each printed. */
function transcript(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n');
      const isWhole = (count: number) => {
        const text = lines.slice(0, count).join('\n');
        return text.split("'").length % 2 === 1 && !text.endsWith('\\');
      };
      const length = lines.findIndex((_, index) => isWhole(index + 1)) + 1;
      return { command: lines.slice(0, length).join('\n'), output: lines.slice(length).join('\n') };
    });
}

/** Output without what differs from run to run: ids, durations, space between JSON tokens. */
function stable(output: string): string {
  return output
    .replaceAll(new RegExp(UUID, 'g'), 'ID')
    .replace(/"duration_ms":\d+/g, '"duration_ms":0')
    .replace(/\b\d+\.\d+ s\b/g, 'N s')
    .replace(/\n\s*/g, '');
}

/** The shown pieces, between omission marks, must occur in the real output in order. */
function expectShown(real: string, shown: string): void {
  let from = 0;
  for (const piece of stable(shown).split(/\s*…\s*/)) {
    const at = stable(real).indexOf(piece, from);
    expect(at, `${piece}\nnot after ${from} in\n${stable(real)}`).toBeGreaterThanOrEqual(0);
    from = at + piece.length;
  }
}

interface LocalService {
  base_url: string;
  workspace_id: string;
  api_key: string;
}

const access = (): LocalService => JSON.parse(readFileSync(join(service.dataDir, 'local.json'), 'utf8'));

/** A sample with the data folder, address and workspace of this service instead of the default ones. */
const forThisService = (sample: string) =>
  sample
    .replace('./.local/', `${service.dataDir}/`)
    .replace('http://127.0.0.1:8787/api/v1', access().base_url)
    .replace(/--local$/m, `--local ${service.dataDir}`)
    .replace('--workspace ID', `--workspace ${access().workspace_id}`);

test.runIf(isPosix)('the first run prints what the README shows', async () => {
  const [block = ''] = codeBlocks('README.md', 'console');
  const shown = transcript(block).map(({ command, output }) => ({
    command: forThisService(command),
    output,
  }));
  const [address, key, create, id, read] = shown;
  if (!address || !key || !create || !id || !read) throw new Error('the README shows no first run');
  const variables = [address, key].map(({ command }) => command);
  const run = await sh([...variables, create.command, id.command, 'echo $ID'].join('\n'));
  expect(run.trim()).toMatch(UUID);
  const ended = await until('the end of the first run', async () => {
    const answer = await sh([...variables, `ID=${run.trim()}`, read.command].join('\n'));
    return JSON.parse(answer).status === 'succeeded' ? answer : undefined;
  });
  expectShown(ended, read.output);
});

test.runIf(isPosix)('own data is imported, listed and asked about as the README shows', async () => {
  const [, block = ''] = codeBlocks('README.md', 'console');
  const shown = transcript(block);
  expect(shown).toHaveLength(3);
  for (const { command, output } of shown) expectShown(await sh(forThisService(command)), output);
});

test.runIf(isPosix)('the TypeScript of the README prints the answer that it shows', async () => {
  const [code = ''] = codeBlocks('README.md', 'ts');
  const [, answer = ''] = /console\.log\(message\); \/\/ (.*)/.exec(code) ?? [];
  const output = await runModule(forThisService(code), { RUNS_API_KEY: access().api_key });
  expect(output).toMatch(/^run\.created\n[\s\S]*run\.succeeded\n/);
  expect(output.trimEnd().split('\n').at(-1)).toBe(answer);
});

test.runIf(isPosix)('every command of the terminal client is carried out', async () => {
  const text = readFileSync('README.md', 'utf8');
  const [, inline = ''] = /`(npm run --silent runs -- .*?)`/.exec(text) ?? [];
  const shown = commandsOf('docs/operate.md').filter((command) => command.includes(' runs -- '));
  expect(shown).toHaveLength(1);
  for (const command of [inline, ...shown])
    expect(await sh(forThisService(command)), command).toMatch(/Found: \d companies/);
});

test.runIf(isPosix)('every admin command is carried out', async () => {
  const records = join(service.dataDir, 'records.ndjson');
  const line = codeBlocks('docs/operate.md', 'json').find((block) => block.includes('external_uri')) ?? '';
  writeFileSync(records, line);
  const shown = commandsOf('docs/operate.md').filter((command) => command.includes(' admin -- '));
  expect(shown.length).toBeGreaterThan(4);
  for (const command of shown) {
    const filledIn = forThisService(command).replace('records.ndjson', records);
    const answer = await sh(`${filledIn} --data-dir ${service.dataDir}`);
    expect(JSON.parse(answer), command).toEqual(expect.any(Object));
  }
});

test.runIf(isPosix)('one function answers the recorded event', async () => {
  const [shown = ''] = commandsOf('docs/operate.md').filter((command) =>
    command.startsWith('npm run invoke'),
  );
  expect(await sh(`${shown} --data-dir ${service.dataDir}`)).toContain('"statusCode":202');
});
