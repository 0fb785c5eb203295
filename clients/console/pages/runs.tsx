// The workspace's runs: filtered, paged, and refreshed.
import { useShortcuts } from '../keys.ts';
import { Examples } from '../parts/examples.tsx';
import { RunFilters } from '../parts/run-filters.tsx';
import { RunTable } from '../parts/run-table.tsx';
import { Show } from '../parts/show.tsx';
import type { Resource } from '../resource.ts';
import { link } from '../router.ts';
import { useRunList } from '../run-list.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Query } from '../view-models/address.ts';
import { counted } from '../view-models/figures.ts';
import { filtersOf } from '../view-models/run-filters.ts';
import type { RunRows } from '../view-models/run-rows.ts';
import type { PageProps } from './page.ts';

export function RunsPage({ session, query }: PageProps) {
  useTitle('Runs');
  useShortcuts([
    { key: 'j', does: 'Next run', run: () => focusRow(1) },
    { key: 'k', does: 'Previous run', run: () => focusRow(-1) },
    { key: 'Enter', does: 'Open the run' },
    { key: '/', does: 'Find', run: () => document.getElementById('find')?.focus() },
  ]);
  const runs = useRunList(session, query);
  return (
    <>
      <div class="row spread">
        <h1>Runs</h1>
        {allows(session, 'runs:create') && (
          <a class="button primary" href={link('new')}>
            New run
          </a>
        )}
      </div>
      <RunFilters query={query} />
      <Show resource={runs}>
        {(page) => <Rows session={session} query={query} runs={runs} page={page} />}
      </Show>
    </>
  );
}

interface RowsProps {
  session: Session;
  query: Query;
  runs: Resource<RunRows>;
  page: RunRows;
}

function Rows({ session, query, runs, page: { rows, older, newer } }: RowsProps) {
  const filters = filtersOf(query);
  if (rows.length === 0 && Object.keys(query).length === 0) return <Examples session={session} />;
  return (
    <>
      {rows.some(({ waiting }) => waiting?.reason === 'maintenance') && (
        <p class="note warn">Maintenance: paused runs continue automatically afterwards.</p>
      )}
      {rows.some(({ waiting }) => waiting?.reason === 'model_unavailable') && (
        <p class="note warn">No model answers: paused runs continue automatically when one is back.</p>
      )}
      {newer > 0 && !query.cursor && (
        <p class="newer">
          <button type="button" class="primary" onClick={() => void runs.reload()}>
            Show {counted(newer, 'newer run')}
          </button>
        </p>
      )}
      {rows.length > 0 ? (
        <RunTable rows={rows} simulated={session.me.value?.model.simulated} />
      ) : (
        <p>
          {query.q && older ? 'No run among the latest matches.' : 'No run matches.'}{' '}
          <a href={link('runs')}>Clear the filters</a>
        </p>
      )}
      <nav class="row" aria-label="Pages">
        {query.cursor && <a href={link('runs', filters)}>Newest runs</a>}
        {older && <a href={link('runs', { ...filters, cursor: older })}>Older runs</a>}
      </nav>
    </>
  );
}

/** Moves the focus to the next or previous run of the list. */
function focusRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.runs th a')];
  const at = links.findIndex((one) => one.closest('tr')?.contains(document.activeElement));
  links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]?.focus();
}
