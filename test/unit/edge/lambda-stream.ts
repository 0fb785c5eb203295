// Lambda's streaming globals as its Node runtime has them: status and headers leave with the first `write`, and only
// with a `write`.
import { Writable } from 'node:stream';

export interface Answer {
  output: Writable;
  /** Undefined until the head was sent. */
  head: { statusCode: number; headers: Record<string, string> } | undefined;
  body: string;
  /** Makes a paused reader take what waits. */
  take(): void;
}

const pendingHead = new WeakMap<Writable, Answer['head']>();

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: <T>(handler: T) => handler,
    HttpResponseStream: {
      from: (output: Writable, head: NonNullable<Answer['head']>) => {
        pendingHead.set(output, head);
        return output;
      },
    },
  },
});

/** A response whose reader takes everything at once or, when paused, nothing until `take`. */
export function response(held = false): Answer {
  let waiting: (() => void) | undefined;
  const answer: Answer = {
    head: undefined,
    body: '',
    take: () => waiting?.(),
    output: new Writable({
      highWaterMark: 64,
      write(chunk, _encoding, done) {
        answer.body += chunk;
        if (held && chunk.length > 0) waiting = done;
        else done();
      },
    }),
  };
  const { output } = answer;
  const write = output.write.bind(output);
  output.write = (...all: unknown[]) => {
    answer.head ??= pendingHead.get(output);
    return Reflect.apply(write, output, all);
  };
  output.on('error', () => {});
  return answer;
}
