// `bin/openapi.ts --check` as a developer meets it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const command = 'bin/openapi.ts';

test('--check prints nothing when the file is up to date', async () => {
  expect(await run(process.execPath, [command, '--check'])).toEqual({ stdout: '', stderr: '' });
});

test('an unknown flag is one line and exit code 1', async () => {
  await expect(run(process.execPath, [command, '--chekc'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^[^\n]+\n$/),
  });
});
