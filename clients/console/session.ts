// The session: the key, where it is stored, and its client.
import { type ReadonlySignal, signal } from '@preact/signals';
import { isApiError, type Me, RunService, type Scope } from '../sdk/index.ts';
import { announce } from './announce.ts';
import { noticingFetch } from './connection.ts';
import { go, link, route } from './router.ts';

const STORED_AS = 'run-service.key';
const KEY_IN_ADDRESS = /^#key=(.+)/;

/** A signed-in key. */
export interface Session {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly client: RunService;
  /** The key and its workspace; undefined until the service has answered. */
  readonly me: ReadonlySignal<Me | undefined>;
  /** Asks the service again who the key is. Throws the client's errors. */
  refresh(): Promise<void>;
}

const current = signal<Session | undefined>(undefined);
const refusal = signal<unknown>(undefined);

export const session: ReadonlySignal<Session | undefined> = current;
/** Why the stored key is no longer signed in. */
export const refused: ReadonlySignal<unknown> = refusal;

/** Address of the API: the page has it relative to itself, except for the stage, which may be in the page's path. */
function baseUrl(): string {
  const path = document.documentElement.dataset.api ?? 'v1';
  const within = /\/api\/[^/]*$/.test(location.pathname) ? path.replace(/^api\//, '') : path;
  return new URL(within, location.origin + location.pathname).href;
}

function makeSession(apiKey: string): Session {
  const address = baseUrl();
  const client = new RunService({ apiKey, baseUrl: address, fetch: noticingFetch, maxRetries: 2 });
  const me = signal<Me | undefined>(undefined);
  const refresh = async () => {
    me.value = await client.me();
  };
  return { apiKey, baseUrl: address, client, me, refresh };
}

/** Whether the key has a scope; until the scopes are known, the service decides. */
export function allows({ me }: Session, scope: Scope): boolean {
  return me.value?.scopes.includes(scope) ?? true;
}

/** Signs in with the key in the address, now or later, or else with the stored one. */
export function startSession(): void {
  addEventListener('hashchange', takeKey);
  if (takeKey()) return;
  const stored = sessionStorage.getItem(STORED_AS) ?? localStorage.getItem(STORED_AS);
  if (stored !== null) begin(stored);
}

/** Takes the key from the address and removes it there at once. */
function takeKey(): boolean {
  const given = KEY_IN_ADDRESS.exec(location.hash)?.[1];
  if (given === undefined) return false;
  go(link('runs'), { replace: true });
  sessionStorage.setItem(STORED_AS, given);
  begin(given);
  return true;
}

function begin(apiKey: string): void {
  const begun = makeSession(apiKey);
  current.value = begun;
  begun.refresh().catch((error: unknown) => {
    if (isApiError(error) && error.status === 401 && current.peek() === begun) signOut(error);
  });
}

/** Signs in with a key, for this tab or, on request, for this device. Throws the client's errors for an invalid key. */
export async function signIn(apiKey: string, { keep }: { keep: boolean }): Promise<void> {
  const begun = makeSession(apiKey);
  await begun.refresh();
  (keep ? localStorage : sessionStorage).setItem(STORED_AS, apiKey);
  refusal.value = undefined;
  current.value = begun;
  announce('Signed in');
  if (route.peek().page === 'login') go(link('runs'), { replace: true });
}

/** Removes the key everywhere; `reason` is shown with the form. */
export function signOut(reason?: unknown): void {
  sessionStorage.removeItem(STORED_AS);
  localStorage.removeItem(STORED_AS);
  refusal.value = reason;
  current.value = undefined;
}
