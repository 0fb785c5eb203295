// Finds runs that have ended: new ones through the list, those in flight or resumable one by one.
import type { ListedRun, Run, RunService, RunStatus } from '../../sdk/index.ts';
import type { Known, Position, StoredPosition } from './position.ts';
import { type EndEvent, isEnd } from './signed-request.ts';

/** A run may appear in the list this long after its creation time: its query is understood first. */
const LATE_MS = 60_000;
const PAGE = 100;
/** Log retention; a run that failed earlier has nothing left to forward. */
const LOG_RETENTION_MS = 30 * 24 * 3_600_000;
/** Known runs checked per round, besides those in the list. */
const OPEN_PER_ROUND = 8;
const FAILED_PER_ROUND = 2;

/** Statuses that may change again; a failed run may be resumed. */
const UNSETTLED: RunStatus[] = ['pending', 'running', 'paused', 'failed'];

type Seen = Pick<Run, 'id' | 'status' | 'created_at' | 'resume_count' | 'workspace_id'>;

/** Forwards one end; once it returns, the end is never forwarded again. */
export type Deliver = (run: Seen, event: EndEvent) => Promise<void>;

/** Where ends are found, to whom they go, and how far that has come. */
export interface Listener {
  service: RunService;
  stored: StoredPosition;
  deliver: Deliver;
  signal: AbortSignal;
}

/** The position of a new listener: from now on, with every run that can still end. */
export async function beginning(service: RunService, signal: AbortSignal): Promise<Position> {
  const since = Date.now();
  const runs: Position['runs'] = {};
  const query = {
    status: UNSETTLED,
    created_after: since - LOG_RETENTION_MS,
    limit: PAGE,
  };
  for await (const run of service.runs.list(query, { signal })) {
    const seen = run.status === 'failed' ? { seen: stateOf(run) } : {};
    runs[run.id] = { created_at: run.created_at, forwarded: [], ...seen };
  }
  return { since, listed_until: since, runs };
}

/** The position of a listener to one run: all its ends count. */
export function beginningOfRun({ id, created_at }: Seen): Position {
  return { since: 0, listed_until: created_at, runs: { [id]: { created_at, forwarded: [] } } };
}

/**
 * Forwards the ends of all runs that may have ended. Of known runs it checks the next few, or every one for a listener
 * that was away. What it learns goes into the stored position.
 */
export async function forwardEnds(listener: Listener, known: 'next' | 'every'): Promise<void> {
  const { service, stored, signal } = listener;
  const { position } = stored;
  const listed = await newRuns(listener);
  const listedIds = new Set(listed.map(({ id }) => id));
  for (const run of listed.reverse()) await forwardEndsOf(run, listener);
  const others = Object.keys(position.runs).filter((id) => !listedIds.has(id));
  for (const id of known === 'every' ? others : takeNext(position, others))
    await forwardEndsOf(await service.runs.get(id, { signal }), listener);
  position.listed_until = Math.max(position.listed_until, ...listed.map(({ created_at }) => created_at));
  forgetEnded(position);
  stored.save();
}

async function newRuns({ service, stored, signal }: Listener): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  const query = { created_after: Math.max(stored.position.listed_until - LATE_MS, 0), limit: PAGE };
  for await (const run of service.runs.list(query, { signal })) runs.push(run);
  return runs;
}

/** The next runs to check; they go to the end of the line. */
function takeNext(position: Position, ids: readonly string[]): string[] {
  const isFailed = (id: string) => position.runs[id]?.seen?.startsWith('failed') === true;
  const open = ids.filter((id) => !isFailed(id)).slice(0, OPEN_PER_ROUND);
  const chosen = [...open, ...ids.filter(isFailed).slice(0, FAILED_PER_ROUND)];
  for (const id of chosen) {
    const known = position.runs[id];
    delete position.runs[id];
    if (known) position.runs[id] = known;
  }
  return chosen;
}

/** Reads the log of a run that ended since the last check and delivers its ends, recording each at once. */
export async function forwardEndsOf(run: Seen, listener: Listener): Promise<void> {
  const { service, stored, deliver, signal } = listener;
  const { position, save } = stored;
  const known: Known = position.runs[run.id] ?? { created_at: run.created_at, forwarded: [] };
  position.runs[run.id] = known;
  const state = stateOf(run);
  if (known.seen === state || !['succeeded', 'failed', 'canceled'].includes(run.status)) return;
  for await (const event of service.runs.events(run.id, { limit: 1000 }, { signal })) {
    if (!isEnd(event) || event.occurred_at < position.since || known.forwarded.includes(event.event_id))
      continue;
    await deliver(run, event);
    known.forwarded.push(event.event_id);
    // After a kill before this line the event is forwarded again; receivers recognize its id.
    save();
  }
  known.seen = state;
}

const stateOf = ({ status, resume_count }: Pick<Seen, 'status' | 'resume_count'>) =>
  `${status} ${resume_count}`;

/** Forgets runs that cannot end again, once the list no longer shows them as new. */
function forgetEnded(position: Position): void {
  for (const [id, { seen = '', created_at }] of Object.entries(position.runs)) {
    const over =
      /^(succeeded|canceled)/.test(seen) ||
      (seen.startsWith('failed') && created_at < Date.now() - LOG_RETENTION_MS);
    if (over && created_at <= position.listed_until - LATE_MS) delete position.runs[id];
  }
}
