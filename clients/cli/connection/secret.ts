// Reads a secret: a line of standard input, or typed at a prompt without echo.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Problem } from '../problem.ts';
import type { Surroundings } from '../surroundings.ts';

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** The first line piped in or typed, trimmed. Throws Problem on Ctrl-C. */
export async function readSecret(
  prompt: string,
  { stdin, stderr, interrupted }: Surroundings,
): Promise<string> {
  const typed = stdin.isTTY === true;
  // readline puts the terminal into raw mode, which disables echo, and its own echo goes nowhere. Anything typed
  // earlier is shown, so the prompt comes after.
  const reader = createInterface({ input: stdin, output: nowhere(), terminal: typed });
  if (typed) stderr.write(prompt);
  try {
    const line = await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
      const stop = () => reject(new Problem('interrupted', 'nothing was saved'));
      reader.once('SIGINT', stop);
      interrupted.addEventListener('abort', stop, { once: true });
    });
    return line.trim();
  } finally {
    reader.close();
    if (typed) stderr.write('\n');
  }
}
