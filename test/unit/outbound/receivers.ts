// Listeners on loopback that play external servers, and count their callers.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { AddressPolicy } from '#outbound/address-policy.ts';
import { loopbackToo } from '../../../lib/local/cli/loopback-address-policy.ts';

export interface Receiver {
  port: number;
  url: string;
  /** Connections seen so far. */
  connections(): number;
  /** Resolves when the peer has closed the last connection. */
  closed: Promise<unknown>;
}

/** Lets every host be called over plain http and every address, as if loopback were the internet. */
export const anywhere: AddressPolicy = {
  ...loopbackToo,
  allowsPlainHttp: () => true,
  allowsAddress: () => true,
};

/** Listens until the test ends. `onRequest` gets the socket and the text of the request once its head has arrived. */
export async function receiver(
  onRequest: (socket: Socket, head: string) => void,
  address = '127.0.0.1',
  port = 0,
): Promise<Receiver> {
  let connections = 0;
  const { promise: closed, resolve: close } = Promise.withResolvers<unknown>();
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).once('close', close);
    let head = '';
    socket.on('data', (chunk) => {
      const before = head.includes('\r\n\r\n');
      head += chunk.toString('latin1');
      if (!before && head.includes('\r\n\r\n')) onRequest(socket, head);
    });
  });
  const bound = await listening(server, address, port);
  const host = address.includes(':') ? `[${address}]` : address;
  return { port: bound, url: `http://${host}:${bound}/cb`, connections: () => connections, closed };
}

/** Answers with the text unchanged. */
export function answering(text: string): (socket: Socket) => void {
  return (socket) => void socket.write(text);
}

/** A whole response with this status and body. */
export function response(status: number, body = '', headers: readonly string[] = []): string {
  const head = [`HTTP/1.1 ${status} X`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Writes the text again and again without waiting for anything, until the peer has gone. */
export function repeating(first: string, again: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(again), 5);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Lets the server listen until the test ends; returns its port. */
export async function listening(server: Server, address: string, port: number): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(port, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
  return bound.port;
}
