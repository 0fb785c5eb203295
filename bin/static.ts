// `npm run static`: what needs no test: format, lint, types, unused code, the generated document. All at once.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const commands = [
  'biome check .',
  'tsc --checkers 1',
  'tsc --checkers 1 -p clients/console',
  'knip --cache',
  'node bin/openapi.ts --check',
];

/** What a command prints when it fails. npm puts the project's programs on the path. */
async function complaint(command: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(command, { shell: true, maxBuffer: 2 ** 26 });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    return `${command}\n${stdout}${stderr}`;
  }
}

const complaints = (await Promise.all(commands.map(complaint))).filter((text) => text !== undefined);
process.stdout.write(complaints.join('\n'));
process.exitCode = complaints.length > 0 ? 1 : 0;
