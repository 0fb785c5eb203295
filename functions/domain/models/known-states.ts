// What this process knows of the endpoints: read with a run's work, then at most once a second while calls go on.
import { observe } from '#platform/observations.ts';
import { type EndpointState, usageOfWorkspace } from '#store/models/endpoint-state.ts';
import { changeState, type EndpointStates, readStates } from '#store/models/endpoints.ts';
import { tableName } from '#store/table/table.ts';

const FRESH_MS = 1000;

interface Known {
  /** When the read began, epoch ms. */
  at: number;
  state: Promise<EndpointState | undefined>;
}

const known = new Map<string, Known>();
const keyOf = (name: string) => `${tableName()} ${name}`;

/** States that were read at `at` with something else. */
export function learnStates(states: EndpointStates, names: readonly string[], at: number): void {
  for (const name of names) learn(name, { at, state: Promise.resolve(states.get(name)) });
}

function learn(name: string, news: Known): void {
  const before = known.get(keyOf(name));
  if (before && before.at > news.at) return;
  known.set(keyOf(name), news);
  void news.state.then((state) => report(name, state)).catch(() => undefined);
}

function report(name: string, state: EndpointState | undefined): void {
  observe({ what: 'model', name, away: usageOfWorkspace(state, Date.now()).kind !== 'answers' });
}

/** The state of an endpoint, as of at most a second ago. */
export async function stateOf(name: string): Promise<EndpointState | undefined> {
  const key = keyOf(name);
  const before = known.get(key);
  const at = Date.now();
  if (before && Math.abs(at - before.at) < FRESH_MS) return before.state;
  const state = readStates([name]).then((states) => states.get(name));
  const news = { at, state };
  learn(name, news);
  // The next caller reads it once more.
  state.catch(() => known.get(key) === news && known.delete(key));
  return state;
}

/** `changeState`, which this process then knows. */
export async function changeKnown(...change: Parameters<typeof changeState>): ReturnType<typeof changeState> {
  const changed = await changeState(...change);
  learn(change[0], { at: Date.now(), state: Promise.resolve(changed.state) });
  return changed;
}
