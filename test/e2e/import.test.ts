// Imports as a process: the same file again completes one that was killed, and changes nothing else (rules.md: admin 7, admin 12, admin 13).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { Command } from '../../functions/admin/commands.ts';
import { startFakeService } from '../local/admin/fake-service.ts';
import { workspace } from '../support/given.ts';
import { admin } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsQueryRun } from '../support/when.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-e2e-'));
const { promise: never } = Promise.withResolvers<object>();
const { promise: held, resolve: holds } = Promise.withResolvers<void>();
let batches = 0;

/**
 * The first batch is written and answered, the second written and not answered, the third not even written; then all
 * pass.
 */
const gate = await startFakeService(async (command) => {
  const batch = command.command === 'entity.import' ? ++batches : 0;
  if (batch === 3) return never;
  const answer = await admin(Command.parse(command));
  if (batch !== 2) return answer;
  holds();
  return never;
});
afterAll(async () => {
  await gate.close();
  rmSync(folder, { recursive: true });
});

function startImport(noun: string, workspaceId: string, lines: object[], dataDir = gate.dataDir) {
  const file = join(folder, `${noun}.ndjson`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const args = [noun, 'import', '--workspace', workspaceId, '--file', file, '--data-dir', dataDir];
  const child = spawn(process.execPath, ['bin/admin.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, ended: text(child.stdout) };
}

test('an import that is killed and repeated has every record once, though no line has an id', async () => {
  const { workspace_id } = await workspace();
  const uri = (n: number) => ({ external_uri: `crm:${n % 1500}` });
  const all = Array.from({ length: 1500 }, (_, n) => ({ type: 'company', name: `Company ${n}`, ...uri(n) }));
  const killed = startImport('entity', workspace_id, all);
  await held;
  killed.child.kill('SIGKILL');
  expect(await killed.ended).toBe('');
  const { imported, entities } = JSON.parse(await startImport('entity', workspace_id, all).ended);
  expect(imported).toBe(1500);
  expect(new Set(entities.map(({ id }: { id: string }) => id)).size).toBe(1500);
  // An end resolves only if one record alone has its URI.
  const links = all.map((_, n) => ({ from: uri(n), to: uri(n + 1), type: 'next' }));
  const linked = JSON.parse(await startImport('relationship', workspace_id, links).ended);
  expect(linked.relationships[1]).toMatchObject({ from_id: entities[1].id, to_id: entities[2].id });
});

test('an export that is imported every night multiplies nothing, and a relationship is there once', async () => {
  const home = await workspace();
  const order = (n: number, total = n) => ({
    type: 'order',
    name: `Order ${n}`,
    fields: { total },
    external_uri: `shop:${n}`,
  });
  const orders = Array.from({ length: 20 }, (_, n) => order(n + 1));
  const imports = async (noun: string, lines: object[]) =>
    JSON.parse(await startImport(noun, home.workspace_id, lines).ended);
  expect(await imports('entity', orders)).toMatchObject({ imported: 20, created: 20 });
  expect(await imports('entity', orders)).toMatchObject({ imported: 20, created: 0, unchanged: 20 });
  const next = [...orders.with(4, order(5, 500)), order(21)];
  expect(await imports('entity', next)).toMatchObject({ created: 1, updated: 1, unchanged: 19 });
  const asked = await createsQueryRun(home, 'How many orders are there?');
  const counted = await then.ended(home, asked.body.id);
  expect(counted.message).toContain('Count: 21.');
  const link = { from: { external_uri: 'shop:1' }, to: { external_uri: 'shop:2' }, type: 'before' };
  expect(await imports('relationship', [link, { ...link, metadata: { days: 1 } }])).toMatchObject({
    ...{ imported: 1, created: 1 },
    relationships: [{ metadata: { days: 1 } }],
  });
  expect(await imports('relationship', [link])).toMatchObject({
    imported: 1,
    updated: 1,
    by_type: { before: 1 },
  });
});
