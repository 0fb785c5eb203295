// Starts the whole service on this machine: `npm start -- [flags]` builds the program of the package and runs it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isProgramCurrent, madeProgram } from './program/made-program.ts';

const { env, execArgv, execPath, argv } = process;
const CALL = 'npm start --';
const args = argv.slice(2);

/** A wrong flag is refused, and the usage printed, before anything is built. */
async function checkFlags(): Promise<boolean> {
  const { checksOut } = await import('../lib/local/cli/local-command.ts');
  return checksOut(args, CALL);
}

if (isProgramCurrent() || (await checkFlags())) {
  const program = join(await madeProgram(), 'cli.mjs');
  env.RUN_SERVICE_CALLED_AS = CALL;
  // In place of this process, so that signals reach the service.
  process.execve?.(execPath, [execPath, ...execArgv, program, 'start', ...args], env);
  process.argv = [execPath, program, 'start', ...args];
  await import(pathToFileURL(program).href);
}
