// The Host check of what listens on this machine: a web page elsewhere must not reach it by a name that it rebinds (rules.md: local 8).
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/** Hosts that were served, each with the addresses that it was compared with: clients send the same few with every request. */
const served = new Set<string>();
const MAX_SERVED = 100;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a request names this machine by loopback, by the address that it came to, or by `bound`. Ports are not compared. */
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
