// An import that is killed: importing the same file again completes it (rules.md: admin 7).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workspace } from '../support/given.ts';
import { admin, sharedService } from '../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => {
  const { endpoint, ...access } = sharedService().lambda;
  const written = { ...access, lambda_endpoint: endpoint, functions: { Admin: 'Admin' } };
  writeFileSync(join(folder, 'aws.json'), JSON.stringify(written));
});

function startImport(noun: string, workspaceId: string, lines: object[]) {
  const file = join(folder, `${noun}.ndjson`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const args = [noun, 'import', '--workspace', workspaceId, '--file', file, '--data-dir', folder];
  const child = spawn(process.execPath, ['bin/admin.ts', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.on('close', () => resolve(stdout));
  return { child, ended };
}

test('an import that is killed and repeated has every record once, though no line has an id', async () => {
  const { workspace_id } = await workspace();
  const uri = (n: number) => ({ external_uri: `crm:${n % 1500}` });
  const all = Array.from({ length: 1500 }, (_, n) => ({ type: 'company', name: `Company ${n}`, ...uri(n) }));
  const killed = startImport('entity', workspace_id, all);
  const relationships = [{ from: uri(0), to: uri(0) }];
  const begun = async () =>
    (await admin({ command: 'relationship.resolve', workspace_id, relationships })).ends;
  await expect.poll(begun, { timeout: 30_000 }).not.toEqual([null]);
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
