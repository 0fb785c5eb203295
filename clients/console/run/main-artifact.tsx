// What a run was for, on its own page: the first rows of its first table, or the text of its dossier.
import { useMemo } from 'preact/hooks';
import type { Artifact, RunState, TableArtifact } from '../../sdk/index.ts';
import { shownColumns } from '../../shown-columns.ts';
import { SaveActions } from '../artifact/save-actions.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { TableChart } from '../parts/table-chart.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import type { Session } from '../session.ts';
import { columnsOf } from '../view-models/cells.ts';
import { counted } from '../view-models/figures.ts';

type TextArtifact = Extract<Artifact, { kind: 'text' }>;

const ROWS_SHOWN = 10;
/** A larger table is loaded on its own page only. */
const MOST_ROWS = 5000;

export function MainArtifact({ session, run }: { session: Session; run: RunState }) {
  const main = run.artifacts.find(({ kind, row_count = 0 }) =>
    run.input.input_type === 'preset' ? kind === 'text' : kind === 'table' && row_count <= MOST_ROWS,
  );
  return main ? <Loaded key={main.id} session={session} id={main.id} /> : null;
}

function Loaded({ session, id }: { session: Session; id: string }) {
  const main = useResource(id, (signal) => session.client.artifacts.get(id, { signal }));
  return (
    <Show resource={main}>
      {(artifact) => {
        if (artifact.kind === 'table') return <Rows session={session} artifact={artifact} />;
        return artifact.kind === 'text' ? <Text session={session} artifact={artifact} /> : null;
      }}
    </Show>
  );
}

function Text({ session, artifact }: { session: Session; artifact: TextArtifact }) {
  return (
    <section aria-labelledby="text">
      <h2 id="text">Dossier</h2>
      <Markdown text={artifact.content} />
      <div class="actions">
        <SaveActions session={session} artifact={artifact} />
      </div>
    </section>
  );
}

function Rows({ session, artifact }: { session: Session; artifact: TableArtifact }) {
  const { id, title, columns, rows } = artifact;
  const shown = useMemo(() => columnsOf(shownColumns(columns, rows), rows), [artifact]);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">
        Table <span class="quiet">{counted(rows.length, 'row')}</span>
      </h2>
      <TableChart title={title} columns={columns} rows={rows} />
      <Sheet title={title} columns={shown} rows={rows.slice(0, ROWS_SHOWN).map((row, at) => ({ at, row }))} />
      <div class="actions">
        {rows.length > ROWS_SHOWN && (
          <a class="button" href={link(`artifacts/${id}`)}>
            All {counted(rows.length, 'row')}
          </a>
        )}
        <SaveActions session={session} artifact={artifact} />
      </div>
    </section>
  );
}
