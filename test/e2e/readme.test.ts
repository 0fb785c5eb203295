// The README's snippets, run as they stand against a service that was started as it says.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceProcess } from '../proofs/chaos/service-process.ts';
import { isPosix } from '../support/platform.ts';
import { until } from '../support/service.ts';
import { codeBlocks, sh } from '../support/snippets.ts';
import { customer, status } from './webhook-receiver.ts';

const service = serviceProcess();
beforeAll(() => (isPosix ? service.start() : undefined), 90_000);
afterAll(() => service.remove());

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

interface Shown {
  command: string;
  output: string;
}

/** What a console block shows: commands behind `$ `, whose quotes may span lines, and what each printed. */
function transcript(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const lines = part.split('\n');
      const isWhole = (count: number) => (lines.slice(0, count).join('\n').split("'").length - 1) % 2 === 0;
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

/** The shown pieces, between the marks of what was left out, must stand in the real output in their order. */
function expectShown(real: string, shown: string): void {
  let from = 0;
  for (const piece of stable(shown).split(/\s*…\s*/)) {
    const at = stable(real).indexOf(piece, from);
    expect(at, `${piece}\nnot after ${from} in\n${stable(real)}`).toBeGreaterThanOrEqual(0);
    from = at + piece.length;
  }
}

/** The first run as the README shows it; gives the run's id. */
async function firstRun(): Promise<string> {
  const [block = ''] = codeBlocks('README.md', 'console');
  const [variables, create, read] = transcript(block.replaceAll('./.local', service.dataDir));
  if (!variables || !create || !read) throw new Error('the README shows no first run');
  const created = await sh(`${variables.command}\n${create.command}`);
  expectShown(created, create.output);
  const { id } = JSON.parse(created);
  const reading = read.command.replace(UUID, id);
  const ended = await until('the end of the first run', async () => {
    const answer = await sh(`${variables.command}\n${reading}`);
    return JSON.parse(answer).status === 'succeeded' ? answer : undefined;
  });
  expectShown(ended, read.output);
  return id;
}

test.runIf(isPosix)('the first run prints what the README shows', async () => {
  await firstRun();
});

test.runIf(isPosix)('the terminal client prints what the README shows', async () => {
  const [, block = ''] = codeBlocks('README.md', 'console');
  const [session] = transcript(block);
  if (!session) throw new Error('the README shows no session');
  const command = session.command.replace('--local', `--local ${service.dataDir}`);
  expectShown(await sh(`${command} 2>&1`), session.output);
});

test.runIf(isPosix)('the query and the dossier of the README are accepted', async () => {
  const bodies = [...readFileSync('README.md', 'utf8').matchAll(/`(\{"input_type":.*?\})`/g)];
  expect(bodies).toHaveLength(2);
  for (const [, body = ''] of bodies)
    expect(await service.call('POST', '/runs', JSON.parse(body))).toMatchObject({ status: 'pending' });
});

test.runIf(isPosix)('every admin command of the README is carried out', async () => {
  const [server, run_id] = await Promise.all([customer(status(200)), firstRun()]);
  const records = join(service.dataDir, 'records.ndjson');
  const readmeLine = /`(\{"type":"company".*\})`/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  writeFileSync(records, `${readmeLine}\n`);
  const block = codeBlocks('README.md', 'sh').find((code) => code.includes('admin -- key create')) ?? '';
  const commands = block.trim().split('\n');
  expect(commands.length).toBeGreaterThan(3);
  for (const command of commands) {
    const filledIn = command
      .replace(/\s+#.*/, '')
      .replace('--workspace ID', `--workspace ${service.workspaceId()}`)
      .replace('--run ID', `--run ${run_id}`)
      .replace('records.ndjson', records)
      .replace('http://127.0.0.1:3000/hook', server.url);
    const answer = await sh(`${filledIn} --data-dir ${service.dataDir}`);
    expect(JSON.parse(answer), command).toEqual(expect.any(Object));
  }
  expect(server.received).toHaveLength(1);
});
