// Replaces functions/outbound/address-policy.ts under `--allow-local-callbacks`: allows loopback.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type AddressPolicy,
  addressPolicy as publicOnly,
} from '../../../functions/outbound/address-policy.ts';

/**
 * The public rules, plus http and https for hosts written as loopback: 127.0.0.0/8, ::1,
 * localhost.
 */
export const addressPolicy: AddressPolicy = {
  ...publicOnly,
  allowsPlainHttp: isLoopbackHost,
  allowsName: (host) => isLoopbackHost(host) || publicOnly.allowsName(host),
  // A public name that resolves to loopback stays refused: only loopback addresses and names are allowed.
  allowsAddress: (address, host) =>
    (isLoopbackHost(host) && isLoopback(address)) || publicOnly.allowsAddress(address, host),
};

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host);
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}
