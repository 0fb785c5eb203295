// Reads a secret: a line of standard input, or typed at a prompt that shows nothing.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Surroundings } from '../context.ts';
import { Problem } from '../problem.ts';

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** The first line that is piped in or typed, trimmed. Throws Problem on Ctrl-C. */
export async function readSecret(prompt: string, { stdin, stderr }: Surroundings): Promise<string> {
  const typed = stdin.isTTY === true;
  if (typed) stderr.write(prompt);
  // readline puts the terminal into raw mode, so that it echoes nothing, and echoes into nowhere itself.
  const reader = createInterface({ input: stdin, output: nowhere(), terminal: typed });
  try {
    const line = await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
      reader.once('SIGINT', () => reject(new Problem('interrupted', 'nothing was saved')));
    });
    return line.trim();
  } finally {
    reader.close();
    if (typed) stderr.write('\n');
  }
}
