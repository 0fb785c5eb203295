// The usage pages of the admin CLI: all commands, those of a noun, or one (rules.md: admin 1).
import { expect, test } from 'vitest';
import { usages } from '../../../bin/admin/command-table.ts';
import { readArguments } from '../../../bin/admin/read-arguments.ts';

test('--help alone shows every command', async () => {
  const page = await readArguments(['--help']);
  for (const name of Object.keys(usages)) expect(page).toContain(`  ${name} `);
});

test('--help after a noun shows its commands with every flag, and no others', async () => {
  const page = await readArguments(['key', '--help']);
  expect(page).toContain(
    'key create --workspace ID [--name S] --scopes A,B|all [--expires-at EPOCH_MS] [--daily-cost-limit-usd X]',
  );
  expect(page).toContain('key revoke KEY_ID');
  expect(page).toContain('key list --workspace ID');
  expect(page).not.toContain('workspace create');
});

test('--help after a command shows it alone, whatever follows it', async () => {
  for (const args of [
    ['workspace', 'show', '--help'],
    ['workspace', 'show', 'x', '--stack', 's', '--help'],
  ]) {
    expect(await readArguments(args)).toContain('workspace show ID');
    expect(await readArguments(args)).not.toContain('workspace create');
  }
});

test('every page shows the flags that name the service', async () => {
  for (const args of [['--help'], ['bridge', '--help'], ['delivery', 'list', '--help']])
    for (const flag of ['--data-dir D', '--stack NAME', '--region R'])
      expect(await readArguments(args)).toContain(flag);
});

test('an unknown noun or verb has no page', async () => {
  await expect(readArguments(['wrkspace', '--help'])).rejects.toThrow('did you mean workspace?');
  await expect(readArguments(['workspace', 'shw', '--help'])).rejects.toThrow('did you mean workspace show?');
});
