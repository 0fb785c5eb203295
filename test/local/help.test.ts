// What both commands print for --help and for a wrong word, and their exit codes (rules.md: local 4, admin 1).
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs a command of `bin`; both streams and the exit code. */
function run(
  file: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{
    code: number | null;
    stdout: string;
    stderr: string;
  }>();
  const child = execFile(process.execPath, [file, ...args], (_, stdout, stderr) =>
    resolve({ code: child.exitCode, stdout, stderr }),
  );
  return promise;
}

test.each([
  ['bin/local.ts', ['--help'], 'Usage: npm start -- [flags]'],
  ['bin/local.ts', ['--port', '1', '--help'], 'Usage: npm start -- [flags]'],
  ['bin/admin.ts', ['--help'], 'Usage: npm run --silent admin -- <noun> <verb> [flags]'],
  ['bin/admin.ts', ['workspace', '--help'], 'workspace create --name S'],
  ['bin/admin.ts', ['workspace', 'show', '--help'], 'workspace show ID'],
])('%s %j prints a usage page and exits with 0', async (file, args, shown) => {
  const ended = await run(file, ...args);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toContain(shown);
});

test('npm start with an unknown flag is one line on stderr and exit code 2', async () => {
  expect(await run('bin/local.ts', '--prot', '1')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'unknown flag --prot; did you mean --port?\n',
  });
});

test.each([
  [['workspce', 'show'], 'unknown_command', 'workspace?'],
  [['workspace', 'shw', '--help'], 'unknown_command', 'workspace show?'],
  [['workspace', 'show', 'x', '--stak', 's'], 'invalid_arguments', '--stack?'],
])('admin %j is a JSON error on stderr and exit code 1', async (args, code, near) => {
  const ended = await run('bin/admin.ts', ...args);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  const { error } = JSON.parse(ended.stderr);
  expect(error).toEqual({ code, message: expect.stringContaining(`did you mean ${near}`) });
});
