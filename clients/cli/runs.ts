#!/usr/bin/env node
import { exitCodes } from './exit-codes.ts';
// The process of `runs`: streams, signals and exit code.
import { runCli } from './run-cli.ts';

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // The first Ctrl-C lets the command say how to continue; the second exits at once.
  if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
  interrupt.abort();
});
// A reader may close the pipe early (`runs list | head`).
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(exitCodes.ok);
  });

const { stdout, stderr, stdin, env } = process;
const cwd = process.cwd();
process.exitCode = await runCli(process.argv.slice(2), {
  stdout,
  stderr,
  stdin,
  env,
  cwd,
  fetch,
  interrupted: interrupt.signal,
});
