// Starts the whole service on this machine: `npm start -- [flags]`.
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const { env, execArgv, execPath, argv, platform } = process;

// Each function's thread would get a heap of its own from glibc, some 90 MB in all. It reads this only as a process
// begins, so this one begins again, with the same id and streams.
if (platform === 'linux' && env.MALLOC_ARENA_MAX === undefined)
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '2' });

// Before the rest of the program is loaded, which takes twice as long without. Child processes find the variable.
env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/node');
enableCompileCache(env.NODE_COMPILE_CACHE);
const { localCommand } = await import('../lib/local/cli/local-command.ts');
await localCommand(argv.slice(2));
