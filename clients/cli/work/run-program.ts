// A program that does one job: the job on its standard input, its result on its standard output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Job } from '../../sdk/index.ts';
import { plainLine } from '../output/plain.ts';
import { misuse } from '../problem.ts';
import type { Context } from '../surroundings.ts';

interface Ended {
  out: string;
  /** Why there is no result. */
  failure?: string;
}

/** Its last line is looked at, and that is cut further. */
const SAID_MAX_CHARACTERS = 10_000;

/**
 * Runs the program to its end, and shows what it says on stderr. Throws the reason of the signal, which ends it, and
 * Problem when it cannot be started.
 */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  job: Job,
  { cwd, env, stderr }: Context,
  signal: AbortSignal,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' });
  const end = () => {
    child.kill();
    // What the program has started may outlive it, and hold its streams open.
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
  };
  signal.addEventListener('abort', end, { once: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said = (said + piece).slice(-SAID_MAX_CHARACTERS);
    stderr.write(piece);
  });
  // A program need not read its job.
  child.stdin.on('error', () => undefined).end(`${JSON.stringify(job)}\n`);
  try {
    const [out, [code, by]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (code === 0) return { out };
    const last = plainLine(said.trim().split('\n').at(-1) ?? '');
    return { out, failure: last || `${program} ended with ${code ?? by}` };
  } catch (error) {
    signal.throwIfAborted();
    throw misuse(`${program} cannot be started: ${error instanceof Error ? error.message : error}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
