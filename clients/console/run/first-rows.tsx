// The first rows of a run's first table, with the whole of it one click away.
import { useMemo } from 'preact/hooks';
import type { ArtifactSummary, TableArtifact } from '../../sdk/index.ts';
import { SaveActions } from '../artifact/save-actions.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import type { Session } from '../session.ts';
import { columnsOf } from '../view-models/cells.ts';
import { counted } from '../view-models/figures.ts';

const ROWS_SHOWN = 10;
/** A larger table is loaded on its own page only. */
const MOST_ROWS = 5000;

interface Props {
  session: Session;
  artifacts: readonly ArtifactSummary[];
}

export function FirstRows({ session, artifacts }: Props) {
  const table = artifacts.find(({ kind, row_count = 0 }) => kind === 'table' && row_count <= MOST_ROWS);
  return table ? <Loaded key={table.id} session={session} id={table.id} /> : null;
}

function Loaded({ session, id }: { session: Session; id: string }) {
  const table = useResource(id, (signal) => session.client.artifacts.get(id, { signal }));
  return (
    <Show resource={table}>
      {(artifact) => (artifact.kind === 'table' ? <Rows artifact={artifact} /> : null)}
    </Show>
  );
}

function Rows({ artifact }: { artifact: TableArtifact }) {
  const { id, title, columns, rows } = artifact;
  const shown = useMemo(() => columnsOf(columns, rows), [artifact]);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">
        {title} <span class="quiet">{counted(rows.length, 'row')}</span>
      </h2>
      <Sheet title={title} columns={shown} rows={rows.slice(0, ROWS_SHOWN).map((row, at) => ({ at, row }))} />
      <div class="actions">
        {rows.length > ROWS_SHOWN && (
          <a class="button" href={link(`artifacts/${id}`)}>
            All {counted(rows.length, 'row')}
          </a>
        )}
        <SaveActions artifact={artifact} />
      </div>
    </section>
  );
}
