// Decides which external hosts, ports and addresses may be called: global unicast only.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The checks before an external host is called. A host is in lower case, without brackets and without the root dot. */
export interface AddressPolicy {
  /** Whether plain http is allowed for this host besides https. */
  allowsPlainHttp(host: string): boolean;
  /** Whether requests may go to this port. */
  allowsPort(port: number): boolean;
  /** Whether a name may be resolved. */
  allowsName(host: string): boolean;
  /** Whether a connection to this address of the host is allowed. */
  allowsAddress(address: string, host: string): boolean;
}

/** Every special range is outside 2000::/3 or one of these: tunnels, embedded v4 addresses, documentation. */
const globalV6 = ipaddr.parseCIDR('2000::/3');
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.parseCIDR(range),
);

/** Top-level names that mean "internal" (RFC 6761, 6762 appendix G, 8375; clouds use .internal). */
const inwardSuffixes = [
  '.localhost',
  '.localdomain',
  '.local',
  '.internal',
  '.intranet',
  '.private',
  '.corp',
  '.home',
  '.lan',
  '.home.arpa',
];
/** Metadata services with a public-looking name. */
const metadataNames = new Set(['metadata.goog', 'metadata.tencentyun.com']);

/** Only https, public names and global unicast addresses (rules.md: callback 2, outbound 2). */
export const addressPolicy: AddressPolicy = {
  allowsPlainHttp: () => false,
  allowsPort: (port) => Number.isInteger(port) && port >= 1 && port <= 65_535,
  allowsName: (host) =>
    host.includes('.') && !metadataNames.has(host) && !inwardSuffixes.some((suffix) => host.endsWith(suffix)),
  allowsAddress: isGlobalUnicast,
};

function isGlobalUnicast(address: string): boolean {
  // A zone names a link of this machine. The parser below also accepts forms that no resolver returns.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const ip = ipaddr.parse(address);
  if (ip.range() !== 'unicast') return false;
  return ip.kind() === 'ipv4' || (ip.match(globalV6) && !specialV6.some((range) => ip.match(range)));
}
