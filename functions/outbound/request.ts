// The only caller of external hosts: checks the address, connects to a checked one, ends everything at one deadline.
// The policy is an alias, not a relative path, so that the local bundle can replace it.
import { type AddressPolicy, addressPolicy } from '#outbound/address-policy.ts';
import { assertPeer, type Connect, createConnect } from './connect.ts';
import { exchange, type WireRequest, type WireResponse } from './exchange.ts';
import { codeOf, OutboundError } from './failure.ts';
import {
  checkUrl,
  hostOf,
  type Lookup,
  lookupAll,
  portOf,
  resolveHost,
  type UrlProblem,
} from './foreign-url.ts';

export interface OutboundRequest extends WireRequest {
  url: string;
  /** For the whole request, from the lookup to the last byte. */
  timeoutMs: number;
  /** Ends the request early; it has then failed with `aborted`. */
  signal?: AbortSignal;
}

type Result =
  | ({ kind: 'response' } & WireResponse)
  | { kind: 'blocked'; reason: UrlProblem }
  | { kind: 'failed'; error: string };

/** `error` is a code (`timeout`, `ECONNREFUSED`, …); `body` is present when it was requested. */
export type Outcome = Result & { duration_ms: number };

/** Makes one request to an external host. Never rejects. */
export type Send = (request: OutboundRequest) => Promise<Outcome>;

/** The parts that touch the network; tests replace them. */
export interface Wires {
  lookup: Lookup;
  connect: Connect;
  policy: AddressPolicy;
}

/**
 * A `Send` over the given wires. Resolves the name once, checks every address, connects to a checked one, keeps the
 * name for Host and TLS, follows no redirect, and closes its connection afterwards (rules.md: outbound).
 */
export function createOutbound(wires: Partial<Wires> = {}): { send: Send } {
  const { lookup = lookupAll, connect = createConnect(), policy = addressPolicy } = wires;
  return {
    async send(request) {
      const startedAt = performance.now();
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(new OutboundError('timeout')), request.timeoutMs);
      const end = () => deadline.abort(new OutboundError('aborted'));
      request.signal?.addEventListener('abort', end, { once: true });
      if (request.signal?.aborted) end();
      const result = await guarded(request, { lookup, connect, policy }, deadline.signal)
        .catch((error): Result => {
          return { kind: 'failed', error: codeOf(deadline.signal.aborted ? deadline.signal.reason : error) };
        })
        .finally(() => {
          clearTimeout(timer);
          request.signal?.removeEventListener('abort', end);
        });
      return { ...result, duration_ms: Math.round(performance.now() - startedAt) };
    },
  };
}

/** Over the real network, with this bundle's policy. */
export const { send } = createOutbound();

async function guarded(request: OutboundRequest, wires: Wires, signal: AbortSignal): Promise<Result> {
  const verdict = checkUrl(request.url, wires.policy);
  if (!verdict.ok) return { kind: 'blocked', reason: verdict.reason };
  const { url } = verdict;
  const resolved = await resolveHost(url, wires.lookup, wires.policy, signal);
  if (!resolved.ok) return { kind: 'blocked', reason: 'private_address' };
  const { addresses } = resolved;
  if (addresses.length === 0) throw new OutboundError('ENOTFOUND');
  const target = { secure: url.protocol === 'https:', host: hostOf(url), port: portOf(url), addresses };
  const socket = await wires.connect(target, signal);
  try {
    assertPeer(socket, addresses);
    const response = await exchange(socket, url, request);
    // A body without a length ends with the connection: after our own abort it would look complete.
    signal.throwIfAborted();
    return { kind: 'response', ...response };
  } finally {
    socket.destroy();
  }
}
