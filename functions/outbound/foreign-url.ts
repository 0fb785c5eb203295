// Checks a URL from outside: first its text, then the addresses of its host.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
// An alias, not a relative path, so that the local bundle can replace the policy.
import { type AddressPolicy, addressPolicy } from '#outbound/address-policy.ts';

/** Why a URL is refused; the values of `details.reason` of `invalid_callback_url`. */
export type UrlProblem = 'invalid_url' | 'not_https' | 'private_address';

export type UrlVerdict = { ok: true; url: URL } | { ok: false; reason: UrlProblem };

/** Resolves a name to all its addresses. Rejects with an error that has a `code` when there is none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export type AddressVerdict = { ok: true; addresses: readonly string[] } | { ok: false };

const maxUrlLength = 2048;
const maxHostLength = 253;
const lookupLimitMs = 2_000;

const schemeForm = /^([a-z][a-z0-9+.-]*):/i;
/** Two slashes, then an authority: the URL parser would repair anything else into some host. */
const authorityForm = /^[a-z]+:\/\/([^/?#]+)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const unsafeCharacters = /[\x00-\x20\x7f\\]/;
const labelForm = /^[a-z0-9_-]{1,63}$/;

/**
 * Checks the text only, without a lookup. The scheme comes first: any other scheme is `not_https` whatever follows. An
 * ambiguous URL, or one with credentials, is `invalid_url`; a host that is private by its spelling is `private_address`
 * (rules.md: callback 2).
 */
export function checkUrl(raw: string, policy: AddressPolicy = addressPolicy): UrlVerdict {
  const scheme = schemeForm.exec(raw)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse('invalid_url');
  const url = URL.parse(raw);
  if (scheme !== 'https' && !(scheme === 'http' && url && policy.allowsPlainHttp(hostOf(url)))) {
    return refuse('not_https');
  }
  if (!url || !isUnambiguous(raw) || !policy.allowsPort(portOf(url))) return refuse('invalid_url');
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    return policy.allowsAddress(host, host) ? { ok: true, url } : refuse('private_address');
  }
  if (!isHostName(host)) return refuse('invalid_url');
  return policy.allowsName(host) ? { ok: true, url } : refuse('private_address');
}

/**
 * Checks all addresses of the host of a URL that `checkUrl` accepted: one bad address refuses it. A host that does not
 * resolve within two seconds passes, because every call checks it again (rules.md: callback 3).
 */
export async function checkResolved(
  url: URL,
  lookup: Lookup = lookupAll,
  policy: AddressPolicy = addressPolicy,
): Promise<UrlVerdict> {
  const limit = AbortSignal.timeout(lookupLimitMs);
  const verdict = await resolveHost(url, lookup, policy, limit).catch(() => undefined);
  return verdict && !verdict.ok ? refuse('private_address') : { ok: true, url };
}

/**
 * Resolves the host once and checks every address; a literal address needs no lookup. Rejects with the resolver's error
 * when the host does not resolve, or with the signal's reason when that comes first.
 */
export async function resolveHost(
  url: URL,
  lookup: Lookup,
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<AddressVerdict> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await unlessAborted(lookup(host), signal) : [host];
  return addresses.every((address) => policy.allowsAddress(address, host))
    ? { ok: true, addresses }
    : { ok: false };
}

/** The host of a URL in lower case; an IPv6 address without brackets, a name without the root dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The port that a URL names or implies. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Every address of a name from the system's resolver, IPv4 first. Rejects with its error when there is none. */
export async function lookupAll(host: string): Promise<readonly string[]> {
  const found = await systemLookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

function refuse(reason: UrlProblem): { ok: false; reason: UrlProblem } {
  return { ok: false, reason };
}

function isUnambiguous(raw: string): boolean {
  const authority = authorityForm.exec(raw)?.[1];
  return (
    raw.length <= maxUrlLength &&
    raw.isWellFormed() &&
    !unsafeCharacters.test(raw) &&
    authority !== undefined &&
    !authority.includes('@')
  );
}

function isHostName(host: string): boolean {
  return host.length <= maxHostLength && host.split('.').every((label) => labelForm.test(label));
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
