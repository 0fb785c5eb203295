// The session: the key, where it is stored, and its client.
import { type ReadonlySignal, signal } from '@preact/signals';
import { isApiError, type Me, RunService, type Scope } from '../sdk/index.ts';
import { announce } from './announce.ts';
import { noticingFetch } from './connection.ts';
import { go, link, route, takeKey } from './router.ts';

const STORED_AS = 'run-service.key';

/** A signed-in key. */
export interface Session {
  /** Distinguishes it from the other sessions of this page. */
  readonly number: number;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly client: RunService;
  /** The key and its workspace; undefined until the service has answered. */
  readonly me: ReadonlySignal<Me | undefined>;
  /** Asks the service again who the key is. Throws the client's errors. */
  refresh(): Promise<void>;
}

/** A key in the address while another one is in use: its session, or why it has none. */
type Offer = { session: Session } | { error: unknown };

const current = signal<Session | undefined>(undefined);
const refusal = signal<unknown>(undefined);
const other = signal<Offer | undefined>(undefined);
let sessions = 0;

export const session: ReadonlySignal<Session | undefined> = current;
/** Why the stored key is no longer signed in. */
export const refused: ReadonlySignal<unknown> = refusal;
/** What the user is asked about: whether another key takes the place of the one in use. */
export const offer: ReadonlySignal<Offer | undefined> = other;

/** Address of the API: the page has it relative to itself, except for the stage, which may be in the page's path. */
function baseUrl(): string {
  const path = document.documentElement.dataset.api ?? 'v1';
  const within = /\/api\/[^/]*$/.test(location.pathname) ? path.replace(/^api\//, '') : path;
  return new URL(within, location.origin + location.pathname).href;
}

/** The client of a key, or of a question's token. */
export function clientOf(apiKey: string): RunService {
  // A function, so that what is no key fails the first call, whose error is shown.
  return new RunService({ apiKey: () => apiKey, baseUrl: baseUrl(), fetch: noticingFetch, maxRetries: 2 });
}

function makeSession(apiKey: string): Session {
  const client = clientOf(apiKey);
  const me = signal<Me | undefined>(undefined);
  const refresh = async () => {
    me.value = await client.me();
  };
  sessions += 1;
  return { number: sessions, apiKey, baseUrl: baseUrl(), client, me, refresh };
}

/** Whether the key has a scope; until the scopes are known, the service decides. */
export function allows({ me }: Session, scope: Scope): boolean {
  return me.value?.scopes.includes(scope) ?? true;
}

/** Signs in with the stored key, and with one in the address, now or later, unless that needs to be asked first. */
export function startSession(): void {
  const stored = sessionStorage.getItem(STORED_AS) ?? localStorage.getItem(STORED_AS);
  if (stored !== null) begin(makeSession(stored));
  const consider = () => {
    const given = takeKey();
    if (given !== undefined) void considerKey(given);
  };
  addEventListener('hashchange', consider);
  consider();
}

/** A link on any page may contain a key, so one that is in use is replaced only after a question. */
async function considerKey(given: string): Promise<void> {
  if (current.peek()?.apiKey === given) return;
  const session = makeSession(given);
  if (!current.peek()) return switchTo(session);
  try {
    await session.refresh();
    other.value = { session };
  } catch (error) {
    other.value = { error };
  }
}

/** Uses a key from now on. The page that is shown goes, with what was typed there. */
function switchTo(session: Session): void {
  sessionStorage.setItem(STORED_AS, session.apiKey);
  go(link('runs'), { replace: true });
  begin(session);
}

/** Ends the question about another key: it is used, or forgotten. */
export function answerOffer(accepted: boolean): void {
  const offered = other.peek();
  other.value = undefined;
  if (accepted && offered && 'session' in offered) switchTo(offered.session);
}

function begin(begun: Session): void {
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
