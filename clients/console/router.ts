// The current route as a signal that follows the address, and navigation. A key or a token in the address is no route.
import { type ReadonlySignal, signal } from '@preact/signals';
import { storeToken } from './guest-tokens.ts';
import { fragmentOf, fragmentWith, type Route, readOwnLink, readRoute } from './view-models/address.ts';

const KEY_IN_ADDRESS = /^#key=(.+)/;

// The link of a question becomes the address of its page, and its token leaves the address and the history at once.
const ownLink = readOwnLink(location);
if (ownLink) {
  const { console: page, jobId, token } = ownLink;
  if (token !== undefined) storeToken(jobId, token);
  history.replaceState(null, '', page + fragmentOf(`jobs/${encodeURIComponent(jobId)}`));
}

/** The fragment of the page that is shown. */
let shown = KEY_IN_ADDRESS.test(location.hash) ? fragmentOf('runs') : location.hash;
const current = signal<Route>(readRoute(shown));
addEventListener('hashchange', () => {
  if (!KEY_IN_ADDRESS.test(location.hash)) show(location.hash);
});

function show(fragment: string): void {
  shown = fragment;
  current.value = readRoute(fragment);
}

/** The key in the address, which is removed there at once; the page that is shown stays. */
export function takeKey(): string | undefined {
  const given = KEY_IN_ADDRESS.exec(location.hash)?.[1];
  if (given !== undefined) history.replaceState(null, '', shown);
  return given;
}

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
  show(fragment);
}
