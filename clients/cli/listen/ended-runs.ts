// Finds the runs that have ended since: new ones by the list, those in flight and those that may be resumed one by one.
import type { ListedRun, Run, RunService, RunStatus } from '../../sdk/index.ts';
import type { KeptPlace, Known, Place } from './position.ts';
import { type EndEvent, isEnd } from './signed-request.ts';

/** A run may show up in the list so long after the time that it bears: its query is understood first. */
const LATE_MS = 60_000;
const PAGE = 100;
/** Logs are kept so long; a run that failed earlier has nothing to bring any more. */
const LOG_KEPT_MS = 30 * 24 * 3_600_000;
/** How many known runs are looked at in one round, beside those that the list shows. */
const OPEN_PER_ROUND = 8;
const FAILED_PER_ROUND = 2;

/** Statuses that an end may follow; a failed run may be resumed. */
const UNSETTLED: RunStatus[] = ['pending', 'running', 'paused', 'failed'];

type Seen = Pick<Run, 'id' | 'status' | 'created_at' | 'resume_count' | 'workspace_id'>;

/** Forwards one end; when it returns, the end need not be forwarded again. */
export type Deliver = (run: Seen, event: EndEvent) => Promise<void>;

/** Where a listener begins that was never there: from now on, with every run that can still end. */
export async function beginning(service: RunService, signal: AbortSignal): Promise<Place> {
  const since = Date.now();
  const runs: Place['runs'] = {};
  const query = {
    status: UNSETTLED,
    created_after: since - LOG_KEPT_MS,
    limit: PAGE,
  };
  for await (const run of service.runs.list(query, { signal })) {
    const seen = run.status === 'failed' ? { seen: stateOf(run) } : {};
    runs[run.id] = { created_at: run.created_at, forwarded: [], ...seen };
  }
  return { since, listed_until: since, runs };
}

/** The place of a listener to one run: all its ends count. */
export function beginningOfRun({ id, created_at }: Seen): Place {
  return { since: 0, listed_until: created_at, runs: { [id]: { created_at, forwarded: [] } } };
}

/** One look at everything that may have ended; `all`: at every known run, for a listener that was away. */
export async function round(
  service: RunService,
  kept: KeptPlace,
  deliver: Deliver,
  signal: AbortSignal,
  all: boolean,
): Promise<void> {
  const { place } = kept;
  const listed = await newRuns(service, place, signal);
  const listedIds = new Set(listed.map(({ id }) => id));
  for (const run of listed.reverse()) await look(service, kept, run, deliver, signal);
  const others = Object.keys(place.runs).filter((id) => !listedIds.has(id));
  for (const id of all ? others : turn(place, others)) {
    const run = await service.runs.get(id, { signal });
    await look(service, kept, run, deliver, signal);
  }
  place.listed_until = Math.max(place.listed_until, ...listed.map(({ created_at }) => created_at));
  forgetEnded(place);
  kept.save();
}

async function newRuns(service: RunService, place: Place, signal: AbortSignal): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  const query = { created_after: Math.max(place.listed_until - LATE_MS, 0), limit: PAGE };
  for await (const run of service.runs.list(query, { signal })) runs.push(run);
  return runs;
}

/** Whose turn it is: who was looked at goes to the end of the line. */
function turn(place: Place, ids: readonly string[]): string[] {
  const isFailed = (id: string) => place.runs[id]?.seen?.startsWith('failed') === true;
  const open = ids.filter((id) => !isFailed(id)).slice(0, OPEN_PER_ROUND);
  const chosen = [...open, ...ids.filter(isFailed).slice(0, FAILED_PER_ROUND)];
  for (const id of chosen) {
    const known = place.runs[id];
    delete place.runs[id];
    if (known) place.runs[id] = known;
  }
  return chosen;
}

/** Reads the log of a run that has ended since the last look, and has its ends delivered, each remembered at once. */
export async function look(
  service: RunService,
  kept: KeptPlace,
  run: Seen,
  deliver: Deliver,
  signal: AbortSignal,
): Promise<void> {
  const { place, save } = kept;
  const known: Known = place.runs[run.id] ?? { created_at: run.created_at, forwarded: [] };
  place.runs[run.id] = known;
  const state = stateOf(run);
  if (known.seen === state || !['succeeded', 'failed', 'canceled'].includes(run.status)) return;
  for await (const event of service.runs.events(run.id, { limit: 1000 }, { signal })) {
    if (!isEnd(event) || event.occurred_at < place.since || known.forwarded.includes(event.event_id))
      continue;
    await deliver(run, event);
    known.forwarded.push(event.event_id);
    // Killed before this line, the same event is forwarded again: its id tells the receiver.
    save();
  }
  known.seen = state;
}

const stateOf = ({ status, resume_count }: Pick<Seen, 'status' | 'resume_count'>) =>
  `${status} ${resume_count}`;

/** Runs that cannot end any more are forgotten, once the list does not show them as new any more. */
function forgetEnded(place: Place): void {
  for (const [id, { seen = '', created_at }] of Object.entries(place.runs)) {
    const over =
      /^(succeeded|canceled)/.test(seen) ||
      (seen.startsWith('failed') && created_at < Date.now() - LOG_KEPT_MS);
    if (over && created_at <= place.listed_until - LATE_MS) delete place.runs[id];
  }
}
