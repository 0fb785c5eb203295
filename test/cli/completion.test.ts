// Completion as shells really ask for it, where they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isPosix } from '../support/platform.ts';
import { folder, runs } from './terminal.ts';

const bin = join(folder, 'bin');
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
const has = (shell: string) => isPosix && spawnSync(shell, ['--version']).status === 0;

beforeAll(async () => {
  mkdirSync(bin, { recursive: true });
  const main = resolve('clients/cli/runs.ts');
  writeFileSync(join(bin, 'runs'), `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`);
  chmodSync(join(bin, 'runs'), 0o755);
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(bin, `completion.${shell}`), (await runs(['completion', shell])).out);
});

/** What bash would propose for the words of a command line; the last one is being typed. */
function bashOffers(...words: string[]): string[] {
  const script = `source ${join(bin, 'completion.bash')}
COMP_WORDS=(runs "$@"); COMP_CWORD=$#
_runs_complete
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { env, encoding: 'utf8' })
    .trim()
    .split('\n');
}

test.runIf(has('bash'))('bash offers commands, flags and values from the same table that reads them', () => {
  expect(bashOffers('w')).toEqual(['whoami', 'watch', 'work', 'webhooks']);
  expect(bashOffers('webhooks', '')).toEqual(['listen', 'list', 'redeliver', 'redeliver-failed']);
  expect(bashOffers('list', '--st')).toEqual(['--status']);
  expect(bashOffers('list', '--status', 'f')).toEqual(['failed']);
  expect(bashOffers('completion', 'b')).toEqual(['bash']);
});

test.runIf(has('bash'))('bash registers the completion, and falls back to files', () => {
  const registered = execFileSync(
    'bash',
    ['-c', `source ${join(bin, 'completion.bash')}; complete -p runs`],
    { env, encoding: 'utf8' },
  );
  expect(registered).toContain('-o default');
  expect(bashOffers('create', '--plan', './')).toEqual(['']);
});

test.runIf(has('zsh'))('zsh loads the script without a complaint', () => {
  const { stderr, status } = spawnSync(
    'zsh',
    ['-fc', `source ${join(bin, 'completion.zsh')}; (( \${+functions[_runs]} ))`],
    { env, encoding: 'utf8' },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
});

test.runIf(has('fish'))('fish offers what fits', () => {
  const offered = execFileSync(
    'fish',
    ['-c', `source ${join(bin, 'completion.fish')}; complete -C 'runs list --st'`],
    { env, encoding: 'utf8' },
  );
  expect(offered).toMatch(/^--status/m);
});
