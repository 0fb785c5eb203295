// The usage pages of the admin CLI: all commands, those of a noun, or one (rules.md: admin 1).
import { expect, test } from 'vitest';
import { usages } from '../../../bin/admin/command-table.ts';
import { usagePage } from '../../../bin/admin/usage-page.ts';

test('--help alone shows every command', () => {
  const page = usagePage(['--help']);
  for (const name of Object.keys(usages)) expect(page).toContain(`  ${name} `);
});

test('--help after a noun shows its commands with every flag, and no others', () => {
  const page = usagePage(['key', '--help']);
  expect(page).toContain(
    'key create --workspace ID [--name S] --scopes A,B|all [--expires-at EPOCH_MS] [--daily-cost-limit-usd X]',
  );
  expect(page).toContain('key revoke KEY_ID');
  expect(page).toContain('key list --workspace ID');
  expect(page).not.toContain('workspace create');
});

test('--help after a command shows it alone, whatever follows it', () => {
  for (const args of [
    ['workspace', 'show', '--help'],
    ['workspace', 'show', 'x', '--stack', 's', '--help'],
  ]) {
    expect(usagePage(args)).toContain('workspace show ID');
    expect(usagePage(args)).not.toContain('workspace create');
  }
});

test('every page shows the flags that name the service', () => {
  for (const args of [['--help'], ['bridge', '--help'], ['delivery', 'list', '--help']])
    for (const flag of ['--data-dir D', '--stack NAME', '--region R'])
      expect(usagePage(args)).toContain(flag);
});

test('an unknown noun or verb has no page', () => {
  expect(() => usagePage(['wrkspace', '--help'])).toThrow('did you mean workspace?');
  expect(() => usagePage(['workspace', 'shw', '--help'])).toThrow('did you mean workspace show?');
});
