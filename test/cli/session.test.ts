// The session that the README of the client shows is a real one.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { admin } from '../support/service.ts';
import { codeBlocks } from '../support/snippets.ts';
import { folder, runs } from './terminal.ts';

const README = 'clients/cli/README.md';

/** A session without what differs from run to run: ids, durations, cost. */
function stable(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\b\d+(\.\d+)? m?s\b/g, 'N s')
    .replace(/0\.\d+ USD/g, 'N USD');
}

test('the session of the README prints what it shows', async () => {
  const { api_key: key } = await admin({ command: 'seed_demo' });
  copyFileSync('clients/cli/berlin.json', join(folder, 'berlin.json'));
  const [session = ''] = codeBlocks(README, 'console');
  const [, command = ''] = /^\$ npm run --silent runs -- (.*)$/m.exec(session) ?? [];
  const args = command
    .replace(' --local', '')
    .split(' ')
    .map((word) => word.replace('clients/cli/', ''));
  const { code, out, err } = await runs(args, { home: { key } });
  expect(code).toBe(0);
  expect(`${stable(err)}${stable(out)}`.trim()).toBe(stable(session.split('\n').slice(1).join('\n')).trim());
});

test('every command line of the README is understood', async () => {
  const lines = codeBlocks(README, 'sh').flatMap((block) => block.trim().split('\n'));
  const shown = lines.filter((line) => line.startsWith('runs ')).map((line) => line.replace(/\s+#.*/, ''));
  expect(shown.length).toBeGreaterThan(8);
  for (const line of shown) {
    const words = (line.match(/'[^']*'|\S+/g) ?? []).slice(1).map((word) => word.replaceAll("'", ''));
    // Without a key nothing is asked: a line that is not understood would be misuse.
    const { code, err } = await runs(
      words.filter((word) => word !== '--local'),
      { cwd: join(process.cwd(), 'clients/cli') },
    );
    expect({ line, code, err }).toMatchObject({
      code: expect.toSatisfy((exit) => exit === 4 || exit === 0 || exit === 5),
    });
  }
});

test('the README is short', () => {
  expect(readFileSync(README, 'utf8').split('\n').length).toBeLessThan(90);
});
