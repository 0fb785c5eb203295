// The place in the console as a signal that follows the address, and the ways to another place.
import { type ReadonlySignal, signal } from '@preact/signals';
import { fragmentBeside, fragmentOf, type Place, readPlace } from './view-models/address.ts';

const current = signal<Place>(readPlace(location.hash));
addEventListener('hashchange', () => {
  current.value = readPlace(location.hash);
});

/** Where one is. */
export const place: ReadonlySignal<Place> = current;

/** The address of a place in the console, for `href`: `link('runs', { status: 'failed' })`. */
export const link = fragmentOf;

/** The address of where one is with some of its query changed; undefined takes a member away. */
export const here = (change: Readonly<Record<string, string | undefined>>): string =>
  fragmentBeside(current.value, change);

/** Goes to a place; `replace` leaves no entry in the history. */
export function go(fragment: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', fragment);
  else history.pushState(null, '', fragment);
  current.value = readPlace(fragment);
}
