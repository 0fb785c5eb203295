// Replaces functions/outbound/address-policy.ts in local bundles, and in these alone: with `--allow-local-callbacks` it
// also allows loopback (rules.md: local 5).
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type AddressPolicy,
  addressPolicy as publicOnly,
} from '../../../functions/outbound/address-policy.ts';
import { localCallbacks } from './local-callbacks.ts';

/**
 * The public rules, plus http and https for hosts written as loopback: 127.0.0.0/8, ::1,
 * localhost.
 */
export const loopbackToo: AddressPolicy = {
  ...publicOnly,
  allowsPlainHttp: isLoopbackHost,
  allowsName: (host) => isLoopbackHost(host) || publicOnly.allowsName(host),
  // A public name that resolves to loopback stays refused: only loopback addresses and names are allowed.
  allowsAddress: (address, host) =>
    (isLoopbackHost(host) && isLoopback(address)) || publicOnly.allowsAddress(address, host),
};

const isAllowed = Object.entries(localCallbacks).every(([name, value]) => process.env[name] === value);

/** The public rules, unless the start allows loopback. A thread has only the variables that its host gives it. */
export const addressPolicy: AddressPolicy = isAllowed ? loopbackToo : publicOnly;

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}
