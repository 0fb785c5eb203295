// The data of the run list: loaded by filters, refreshed while visible.
import { useEffect } from 'preact/hooks';
import type { ListedRun } from '../sdk/index.ts';
import { now } from './now.ts';
import { type Resource, useResource } from './resource.ts';
import type { Session } from './session.ts';
import type { Query } from './view-models/address.ts';
import { hasWords, listQuery } from './view-models/run-filters.ts';
import { inFlight, merged, type RunRows, withRun } from './view-models/run-rows.ts';

const REFRESH_MS = 5000;
const REFRESH_IN_FLIGHT_MS = 1500;
/** The most rows read one by one because they no longer match the filter. */
const MOST_SINGLE_READS = 10;
/** A search in titles reads pages of this many runs, at most this many at once, until it has enough. */
const SEARCHED_AT_ONCE = 100;
const MOST_PAGES = 5;
const ENOUGH = 20;
const NEAR_TOP_PX = 200;

/** The runs of the filters, refreshed while the page is visible. */
export function useRunList(session: Session, query: Query): Resource<RunRows> {
  const resource = useResource(JSON.stringify(query), (signal) => readPage(session, query, signal));
  const { loaded, replace } = resource;
  useEffect(() => {
    const ended = new AbortController();
    let timer = setTimeout(refresh, REFRESH_IN_FLIGHT_MS);
    async function refresh() {
      const before = loaded.peek();
      if (!document.hidden && before.state === 'ready') {
        const fresh = await refreshed(session, query, before.value, ended.signal).catch(() => undefined);
        // Another load may have started in the meantime; its result is newer.
        if (fresh && loaded.peek() === before) replace(fresh);
      }
      const rows = before.state === 'ready' ? before.value.rows : [];
      if (!ended.signal.aborted)
        timer = setTimeout(refresh, rows.some(inFlight) ? REFRESH_IN_FLIGHT_MS : REFRESH_MS);
    }
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [session, JSON.stringify(query)]);
  return resource;
}

async function readPage({ client }: Session, query: Query, signal: AbortSignal): Promise<RunRows> {
  const { q: words } = query;
  let wanted = listQuery(query, now.peek());
  if (words) wanted = { ...wanted, limit: SEARCHED_AT_ONCE };
  const rows: ListedRun[] = [];
  // The service has no search in titles, so pages are read until some match.
  for (let read = 1; ; read += 1) {
    const { data, next_cursor, has_more } = await client.runs.list(wanted, { signal });
    rows.push(...(words ? data.filter((run) => hasWords(run, words)) : data));
    const older = has_more ? next_cursor : null;
    if (!words || !older || rows.length >= ENOUGH || read === MOST_PAGES) return { rows, older, newer: 0 };
    wanted = { ...wanted, cursor: older };
  }
}

/** Rows stay where they are while the pointer or the focus is among them, or the reader has scrolled on. */
const mayMove = () =>
  scrollY < NEAR_TOP_PX && !document.querySelector('.runs tbody:is(:hover, :focus-within)');

/** The page again; runs in flight that it no longer contains are read individually. Throws the client's errors. */
async function refreshed(
  session: Session,
  query: Query,
  shown: RunRows,
  signal: AbortSignal,
): Promise<RunRows> {
  // A search reads many pages, so it is not repeated; the runs that it found are still followed.
  const fresh = query.q ? { ...shown, rows: [] } : await readPage(session, query, signal);
  const page = merged(shown, fresh, !query.cursor && mayMove());
  const there = new Set(fresh.rows.map(({ id }) => id));
  const gone = page.rows.filter((row) => inFlight(row) && !there.has(row.id)).slice(0, MOST_SINGLE_READS);
  const read = await Promise.all(gone.map(({ id }) => session.client.runs.get(id, { signal })));
  const byId = new Map(read.map((run) => [run.id, run]));
  const rows = page.rows.map((row) => {
    const run = byId.get(row.id);
    return run ? withRun(row, run) : row;
  });
  return { ...page, rows };
}
