// Requests byte by byte, beyond what HTTP clients can send.
import { connect } from 'node:net';
import { sharedService } from './service.ts';

export interface RawReply {
  status: number;
  headers: Headers;
  text: string;
}

/** Path of a route below the base address, as in a request line. */
export function target(path: string): string {
  return new URL(sharedService().base_url).pathname + path;
}

/** Sends the bytes unchanged and reads until the service closes; the request must ask for that. */
export function sendsRaw(...parts: (string | Uint8Array)[]): Promise<RawReply> {
  const { hostname, port } = new URL(sharedService().base_url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (piece: Buffer) => received.push(piece));
    // A service that refuses early may reset the upload; its reply has arrived by then.
    socket.on('error', () => {});
    socket.on('close', () => {
      try {
        resolve(parsed(Buffer.concat(received).toString('latin1')));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** A complete request: request line, `Host`, the given headers, `Connection: close`, the body. */
export function raw(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array = new Uint8Array(),
): Promise<RawReply> {
  const { host } = new URL(sharedService().base_url);
  const sized = body.length > 0 ? [['Content-Length', String(body.length)] as const] : [];
  const lines = [['Host', host] as const, ...headers, ...sized, ['Connection', 'close'] as const];
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return sendsRaw(Buffer.from(head, 'latin1'), body);
}

function parsed(answer: string): RawReply {
  const end = answer.indexOf('\r\n\r\n');
  const [line = '', ...lines] = answer.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
  if (end < 0 || !status) throw new Error(`no HTTP reply: ${JSON.stringify(answer.slice(0, 200))}`);
  const headers = new Headers(
    lines.map((one): [string, string] => {
      const colon = one.indexOf(':');
      return [one.slice(0, colon), one.slice(colon + 1).trim()];
    }),
  );
  const text = answer.slice(end + 4);
  const chunked = headers.get('transfer-encoding') === 'chunked';
  return { status, headers, text: Buffer.from(chunked ? joined(text) : text, 'latin1').toString() };
}

function joined(chunks: string): string {
  let rest = chunks;
  let text = '';
  for (;;) {
    const lineEnd = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, lineEnd), 16);
    if (lineEnd < 0 || !size) return text;
    text += rest.slice(lineEnd + 2, lineEnd + 2 + size);
    rest = rest.slice(lineEnd + 2 + size + 2);
  }
}
