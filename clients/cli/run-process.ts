// The process of `runs`: streams, signals and exit code.
import { exitCodes } from './exit-codes.ts';
import { runCli } from './run-cli.ts';

/** Runs one command line of a program that is called `name`. */
export async function runProcess(args: readonly string[], name: string): Promise<void> {
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
  const interrupted = interrupt.signal;
  process.exitCode = await runCli(args, { stdout, stderr, stdin, env, cwd, fetch, interrupted }, name);
}
