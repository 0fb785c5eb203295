// Whether a request comes from this machine itself, and from its own user (rules.md: local 16, local 19).
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What proxies add. One that adds none of them looks like a program on this machine. */
const BY_PROXY = /^(forwarded|x-forwarded.*|via|x-real-ip|cf-connecting-ip)$/;
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Whether a program on this machine asks, and not through a proxy on it. */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => BY_PROXY.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** The kernel's tables of connections, which say whose each end is; other systems than Linux have none. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Whether the other end of a connection on this machine is the same user's, as far as the system says. */
export function isOfThisUser({ remotePort, localPort }: Pick<Socket, 'remotePort' | 'localPort'>): boolean {
  if (process.platform !== 'linux' || !process.getuid) return true;
  const users = TABLES.flatMap((table) => usersIn(tableOf(table), remotePort ?? 0, localPort ?? 0));
  return users.length > 0 && users.every((user) => user === process.getuid?.());
}

function tableOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The users of the sockets that lead from a port to another one. */
export function usersIn(table: string, from: number, to: number): number[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', remote = '']) => portOf(local) === from && portOf(remote) === to)
    .map(([, , , , , , , user]) => Number(user));
}

/** Of `0100007F:1F90`. */
const portOf = (address: string) => Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
