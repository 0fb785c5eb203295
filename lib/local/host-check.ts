// Checks the Host header of local servers: a web page must not reach them through DNS rebinding (rules.md: local 8).
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Hosts that were accepted, with the addresses they were compared with: clients repeat the same few. */
const served = new Set<string>();
const MAX_SERVED = 100;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a request names this machine by loopback, by the address it arrived at, or by `bound`. Ignores ports. */
export function isForThisHost({ headers: { host }, socket }: IncomingMessage, bound: string): boolean {
  // Browsers always send one.
  if (host === undefined) return true;
  const { localAddress = '' } = socket;
  const asked = `${bound} ${localAddress} ${host}`;
  if (served.has(asked)) return true;
  const isOurs = names(host, [bound, localAddress.replace(/^::ffff:/, '')]);
  if (isOurs && served.size < MAX_SERVED) served.add(asked);
  return isOurs;
}

/** Whether an address to listen on is this machine's own. */
export const isLoopback = (host: string): boolean => LOOPBACK.includes(bracketed(host));

/** Whether a Host header names loopback or one of the addresses. */
function names(host: string, addresses: string[]): boolean {
  const name = nameOf(host);
  return name !== undefined && [...LOOPBACK, ...addresses.map(bracketed)].includes(name);
}

function nameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function bracketed(address: string): string {
  return nameOf(isIPv6(address) ? `[${address}]` : address) ?? '';
}
