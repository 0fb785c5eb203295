// Opens the one connection of a request, to a checked address only.
import { isIP, type LookupFunction, connect as openPlain, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './failure.ts';

/** One of the addresses to connect to; the host is for TLS only. */
export interface Target {
  secure: boolean;
  host: string;
  port: number;
  addresses: readonly string[];
}

/**
 * Opens a connection ready for the request. The signal destroys it at any time. Rejects with an error that has a
 * `code`, or with the signal's reason.
 */
export type Connect = (target: Target, signal: AbortSignal) => Promise<Socket>;

/** How long one of several addresses may take before the next is tried. */
const nextAddressAfterMs = 2_500;

/** A `Connect` over real sockets: verified certificates, TLS 1.2 or later. `ca` (PEM) replaces the public roots. */
export function createConnect(trust: { ca?: string } = {}): Connect {
  return (target, signal) => {
    const { host, port, addresses } = target;
    const checked = { lookup: only(addresses), autoSelectFamily: true };
    const options = { host, port, ...checked, autoSelectFamilyAttemptTimeout: nextAddressAfterMs };
    if (!target.secure) return whenOpen(openPlain(options), 'connect', signal);
    const servername = isIP(host) === 0 ? host : '';
    const tls = {
      ...options,
      ...trust,
      servername,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
    } as const;
    return whenOpen(openTls(tls), 'secureConnect', signal);
  };
}

/** Throws OutboundError `address_mismatch` unless the socket's peer is one of the addresses. */
export function assertPeer(socket: Socket, addresses: readonly string[]): void {
  const peer = socket.remoteAddress;
  if (peer === undefined || !addresses.some((address) => isSame(address, peer))) {
    throw new OutboundError('address_mismatch');
  }
}

/** Answers a lookup with the checked addresses, so that the name is never resolved twice. */
function only(addresses: readonly string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => callback(null, answer);
}

function whenOpen(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  const cut = () => socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', cut));
  if (signal.aborted) cut();
  return new Promise((resolve, reject) => {
    // Permanent: an error before the HTTP client listens must not crash the process.
    socket.on('error', reject);
    socket.once('close', () =>
      reject(signal.aborted ? signal.reason : new OutboundError('connection_closed')),
    );
    socket.once(event, () => resolve(socket));
  });
}

function isSame(left: string, right: string): boolean {
  return ipaddr.parse(left).toNormalizedString() === ipaddr.parse(right).toNormalizedString();
}
