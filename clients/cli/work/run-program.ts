// A program that does one job: the job on its standard input, its result on its standard output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Job } from '../../sdk/index.ts';
import { misuse } from '../problem.ts';
import type { Context } from '../surroundings.ts';

interface Ended {
  out: string;
  /** Why there is no result. */
  failure?: string;
}

/**
 * Runs the program to its end, and shows what it says on stderr. The signal ends it. Throws Problem when it cannot be
 * started.
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  job: Job,
  { cwd, env, stderr }: Context,
  signal: AbortSignal,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  const end = () => child.kill();
  signal.addEventListener('abort', end, { once: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
    stderr.write(piece);
  });
  // A program need not read its job.
  child.stdin.on('error', () => undefined).end(`${JSON.stringify(job)}\n`);
  try {
    const [out, [code, by]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code === 0) return { out };
    const last = said.trim().split('\n').at(-1)?.trim();
    return { out, failure: last || `${program} ended with ${code ?? by}` };
  } catch (error) {
    throw misuse(`${program} cannot be started: ${error instanceof Error ? error.message : error}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
