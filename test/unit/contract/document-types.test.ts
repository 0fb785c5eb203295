// The document in the hands of a generator: its types compile and can be used. `npm run prove -- judge:document` asks
// more generators.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { documentUse } from '../../support/document-use.ts';
import { npmProgram } from '../../support/platform.ts';

const root = resolve(import.meta.dirname, '../../..');
const document = join(root, 'functions/contract/openapi.json');
const folder = mkdtempSync(join(tmpdir(), 'types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runs = (tool: string, ...parts: string[]) =>
  execFileSync(join(root, tool), parts, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...npmProgram,
  });

test('types made from the document compile, narrow by code and type, and let what was sent be sent again', () => {
  runs('clients/sdk/node_modules/.bin/openapi-typescript', document, '--output', 'api.d.ts');
  writeFileSync(join(folder, 'use.ts'), documentUse);
  expect(
    runs('node_modules/.bin/tsc', '--strict', '--noEmit', '--skipLibCheck', 'false', 'use.ts', 'api.d.ts'),
  ).toBe('');
});
