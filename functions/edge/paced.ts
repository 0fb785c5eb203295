// The output of a reply whose reader must take something from time to time.
import { Writable } from 'node:stream';

/** The reader has taken nothing for too long. */
export class ReaderIdle extends Error {
  constructor(idleMs: number) {
    super(`the reader has taken nothing for ${idleMs} ms`);
    this.name = 'ReaderIdle';
  }
}

/** Passes everything on to `output`, whose connection it breaks with ReaderIdle when a piece is not taken in time. */
export function paced(output: Writable, idleMs: number): Writable {
  let timer: NodeJS.Timeout | undefined;
  const inTime = (done: (error?: Error | null) => void) => {
    timer = setTimeout(() => sink.destroy(new ReaderIdle(idleMs)), idleMs);
    return (error?: Error | null) => {
      clearTimeout(timer);
      done(error);
    };
  };
  const sink = new Writable({
    write: (piece, encoding, done) => void output.write(piece, encoding, inTime(done)),
    final: (done) => void output.end(inTime(done)),
    destroy: (error, done) => {
      clearTimeout(timer);
      output.destroy(error ?? undefined);
      done(error);
    },
  });
  output.on('error', (error) => sink.destroy(error));
  return sink;
}
