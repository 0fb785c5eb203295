// A customer's misbehaving server, over plain sockets, because no HTTP library would do this.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AttemptClass } from '../../../functions/domain/webhooks/classify.ts';

export interface Behaviour {
  name: string;
  /** What an attempt that meets it must be taken for. */
  means: AttemptClass;
  /** Answers a request that has arrived whole. */
  answer(socket: Socket): void;
}

const whole = (status: number, more = '') => `HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n${more}\r\n`;
const says = (name: string, means: AttemptClass, text: string): Behaviour => ({
  name,
  means,
  answer: (socket) => void socket.end(text),
});
const status = (code: number, means: AttemptClass) => says(`status ${code}`, means, whole(code));
const redirect = (code: number) =>
  says(`redirect ${code}`, 'failed', whole(code, 'Location: http://127.0.0.1:1/\r\n'));

/** Writes the text every `everyMs` until the other side has gone. */
function repeats(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
}

function after(ms: number, socket: Socket, text: string): void {
  const timer = setTimeout(() => socket.end(text), ms);
  socket.once('close', () => clearTimeout(timer));
}

const MORE_THAN_PATIENCE_MS = 12_000;
const LESS_THAN_PATIENCE_MS = 7_000;

/** Everything that a receiver may do to us. */
export const behaviours: readonly Behaviour[] = [
  status(200, 'delivered'),
  status(204, 'delivered'),
  status(299, 'delivered'),
  ...[301, 302, 303, 307, 308].map(redirect),
  ...[300, 400, 401, 404, 410, 413, 422].map((code) => status(code, 'failed')),
  ...[408, 429, 500, 502, 503, 504, 599].map((code) => status(code, 'retry')),
  says('status 600', 'failed', whole(600)),
  says('a status of two digits', 'retry', 'HTTP/1.1 20 OK\r\n\r\n'),
  says('status 099', 'retry', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n'),
  says('a switch of protocols', 'retry', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  says('no HTTP', 'retry', 'SSH-2.0-OpenSSH_9.9\r\n'),
  says('garbage', 'retry', `\u0000\u00ff${'\u0001\u0002'.repeat(500)}\r\n\r\n`),
  says('two lengths', 'retry', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'),
  says(
    'a body longer than declared',
    'delivered',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 X\r\n\r\n',
  ),
  says('a body shorter than declared', 'delivered', 'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nshort'),
  says('hints before success', 'delivered', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole(200)}`),
  says('a flood of hints', 'retry', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5_000) + whole(200)),
  says('nothing', 'retry', ''),
  { name: 'reset', means: 'retry', answer: (socket) => void socket.resetAndDestroy() },
  {
    name: 'reset after the answer',
    means: 'delivered',
    answer: (socket) => void socket.write(whole(200), () => socket.resetAndDestroy()),
  },
  { name: 'silence', means: 'retry', answer: () => undefined },
  {
    name: 'an endless body',
    means: 'delivered',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      repeats(socket, 'x'.repeat(50_000), 5);
    },
  },
  {
    name: 'headers without end',
    means: 'retry',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      repeats(socket, `X-More: ${'x'.repeat(4_000)}\r\n`, 5);
    },
  },
  {
    name: 'dripped headers',
    means: 'retry',
    answer: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
      repeats(socket, 'x', 300);
    },
  },
  {
    name: 'hints, dripped',
    means: 'retry',
    answer: (socket) => repeats(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 900),
  },
  {
    name: 'late success',
    means: 'delivered',
    answer: (socket) => after(LESS_THAN_PATIENCE_MS, socket, whole(200)),
  },
  {
    name: 'success too late',
    means: 'retry',
    answer: (socket) => after(MORE_THAN_PATIENCE_MS, socket, whole(200)),
  },
];

/** Answers a TLS greeting with something else. */
const tlsTrash: Behaviour = {
  name: 'no TLS',
  means: 'retry',
  answer: (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'),
};

interface Post {
  at: number;
  headers: Record<string, string>;
  body: string;
}

export interface HostileReceiver {
  /** Where the n-th delivery goes; `secure` is for one that never gets as far as a request. */
  url(n: number, secure: boolean): string;
  /** The posts of the n-th delivery so far. */
  posts(n: number): Post[];
  close(): void;
}

/** Listens on loopback; the k-th post of delivery n meets `behaviourOf(n, k)`. */
export async function hostileReceiver(
  behaviourOf: (n: number, k: number) => Behaviour,
): Promise<HostileReceiver> {
  const posts = new Map<number, Post[]>();
  const sockets = new Set<Socket>();
  function serve(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    let text = '';
    let answered = false;
    socket.on('data', (piece) => {
      if (answered) return;
      if (text === '' && piece[0] === TLS_HANDSHAKE) {
        answered = true;
        return tlsTrash.answer(socket);
      }
      text += piece.toString();
      const post = readPost(text);
      if (!post) return;
      answered = true;
      const n = Number(/^POST \/(\d+) /.exec(text)?.[1]);
      const all = posts.get(n) ?? [];
      posts.set(n, [...all, post]);
      behaviourOf(n, all.length).answer(socket);
    });
  }
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: (n, secure) => `http${secure ? 's' : ''}://127.0.0.1:${address.port}/${n}`,
    posts: (n) => posts.get(n) ?? [],
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const TLS_HANDSHAKE = 0x16;

/** The request, once it is there whole. */
function readPost(text: string): Post | undefined {
  const [head = '', body] = text.split(/\r\n\r\n(.*)/s);
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  if (body === undefined || Buffer.byteLength(body) < Number(headers['content-length'])) return undefined;
  return { at: Date.now(), headers, body };
}
