// The engine that replaces the own one in all services of a test run, if any: `npm run prove -- judge:engine` sets it.
import { randomBytes } from 'node:crypto';

/**
 * An isolated namespace in it for a new service: access keys separate data. Undefined: a service has its own engine.
 */
export function placeInOtherEngine(): string | undefined {
  const { OTHER_ENGINE } = process.env;
  if (OTHER_ENGINE === undefined) return undefined;
  const place = new URL(OTHER_ENGINE);
  place.username = `service${randomBytes(8).toString('hex')}`;
  return place.href;
}
