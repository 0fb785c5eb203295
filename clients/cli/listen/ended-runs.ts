// Finds runs that have ended: in the list of the new ones, and in that of those that may still end.
import {
  isApiError,
  type ListedRun,
  type ListRuns,
  type Run,
  type RunService,
  type RunStatus,
} from '../../sdk/index.ts';
import type { Known, Position, StoredPosition } from './position.ts';
import { type EndEvent, isEnd } from './signed-request.ts';

/** A run may appear in the list this long after its creation time: its query is understood first. */
const LATE_MS = 60_000;
const PAGE = 100;
/** Log retention; a run that failed earlier has nothing left to forward. */
const LOG_RETENTION_MS = 30 * 24 * 3_600_000;

/** Statuses that may change again; a failed run may be resumed. */
const UNSETTLED: RunStatus[] = ['pending', 'running', 'paused', 'failed'];

type Seen = Pick<Run, 'id' | 'status' | 'created_at' | 'completed_at' | 'resume_count' | 'workspace_id'>;

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
  const runs = (await unsettled(service, signal)).map(({ id, created_at }) => [
    id,
    { created_at, forwarded: [] },
  ]);
  return { since, listed_until: since, runs: Object.fromEntries(runs) };
}

/** The position of a listener to one run: all its ends count. */
export function beginningOfRun({ id, created_at }: Seen): Position {
  return { since: 0, listed_until: created_at, runs: { [id]: { created_at, forwarded: [] } } };
}

/** Forwards the ends of all runs that have ended since the last time. What it learns goes into the stored position. */
export async function forwardEnds(listener: Listener): Promise<void> {
  const { service, stored, signal } = listener;
  const { position } = stored;
  const created_after = Math.max(position.listed_until - LATE_MS, 0);
  const listed = await runsOf(service, { created_after }, signal);
  const found = new Map([...listed, ...(await unsettled(service, signal))].map((run) => [run.id, run]));
  for (const run of [...found.values()].reverse()) await forwardEndsOf(run, listener);
  // What is known and in neither list has ended for good, or is deleted.
  for (const id of Object.keys(position.runs).filter((id) => !found.has(id))) {
    const run = await service.runs.get(id, { signal }).catch((error: unknown) => {
      if (!isApiError(error, 'run_not_found')) throw error;
    });
    if (run) await forwardEndsOf(run, listener);
    else delete position.runs[id];
  }
  position.listed_until = Math.max(position.listed_until, ...listed.map(({ created_at }) => created_at));
  forgetEnded(position);
  stored.save();
}

async function runsOf(service: RunService, query: ListRuns, signal: AbortSignal): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  for await (const run of service.runs.list({ ...query, limit: PAGE }, { signal })) runs.push(run);
  return runs;
}

/** The runs that may still end. */
const unsettled = (service: RunService, signal: AbortSignal) =>
  runsOf(service, { status: UNSETTLED, created_after: Date.now() - LOG_RETENTION_MS }, signal);

/** Reads the log of a run that ended since the last check and delivers its ends, recording each at once. */
export async function forwardEndsOf(run: Seen, listener: Listener): Promise<void> {
  const { service, stored, deliver, signal } = listener;
  const { position, save } = stored;
  const known: Known = position.runs[run.id] ?? { created_at: run.created_at, forwarded: [] };
  position.runs[run.id] = known;
  const state = `${run.status} ${run.resume_count}`;
  const isNew = run.completed_at !== undefined && run.completed_at >= position.since && known.seen !== state;
  if (!isNew) return;
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

/** Forgets runs that cannot end again, once the list no longer shows them as new. */
function forgetEnded(position: Position): void {
  for (const [id, { seen = '', created_at }] of Object.entries(position.runs)) {
    const over =
      /^(succeeded|canceled)/.test(seen) ||
      (seen.startsWith('failed') && created_at < Date.now() - LOG_RETENTION_MS);
    if (over && created_at <= position.listed_until - LATE_MS) delete position.runs[id];
  }
}
