// The engine that all services of a run stand on instead of their own, if there is one: `npm run prove -- judge:engine` names it.
import { randomBytes } from 'node:crypto';

/** A place in it that is a new service's alone: it keeps apart what different access keys ask for. Undefined: a service has its own engine. */
export function placeInOtherEngine(): string | undefined {
  const { OTHER_ENGINE } = process.env;
  if (OTHER_ENGINE === undefined) return undefined;
  const place = new URL(OTHER_ENGINE);
  place.username = `service${randomBytes(8).toString('hex')}`;
  return place.href;
}
