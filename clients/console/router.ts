// The current route as a signal that follows the address, and navigation.
import { type ReadonlySignal, signal } from '@preact/signals';
import { fragmentOf, fragmentWith, type Route, readRoute } from './view-models/address.ts';

const current = signal<Route>(readRoute(location.hash));
addEventListener('hashchange', () => {
  current.value = readRoute(location.hash);
});

/** The current route. */
export const route: ReadonlySignal<Route> = current;

/** The address of a route, for `href`: `link('runs', { status: 'failed' })`. */
export const link = fragmentOf;

/** The current address with a changed query; undefined removes a member. */
export const here = (change: Readonly<Record<string, string | undefined>>): string =>
  fragmentWith(current.value, change);

/** Navigates; `replace` adds no history entry. */
export function go(fragment: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', fragment);
  else history.pushState(null, '', fragment);
  current.value = readRoute(fragment);
}
