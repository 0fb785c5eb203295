// One artifact: a table, a text, a record card, or an unknown kind as JSON.
import type { Artifact, EntityLink } from '../../sdk/index.ts';
import { Card } from '../artifact/card.tsx';
import { SaveActions } from '../artifact/save-actions.tsx';
import { EntityName } from '../parts/entity-name.tsx';
import { Json } from '../parts/json.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { RecordDrawer } from '../parts/record-drawer.tsx';
import { Show } from '../parts/show.tsx';
import { Table } from '../parts/table.tsx';
import { TableChart } from '../parts/table-chart.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { here, link } from '../router.ts';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { kindText } from '../view-models/figures.ts';
import type { PageProps } from './page.ts';

export function ArtifactPage({ session, id, query }: PageProps) {
  const artifact = useResource(id, (signal) => session.client.artifacts.get(id, { links: true, signal }));
  const loaded = artifact.loaded.value;
  useTitle(loaded.state === 'ready' ? loaded.value.title : 'Artifact');
  return (
    <>
      {loaded.state !== 'ready' && <h1>Artifact</h1>}
      <Show resource={artifact}>{(value) => <ArtifactView session={session} artifact={value} />}</Show>
      <RecordDrawer session={session} record={query.record} />
    </>
  );
}

interface ViewProps {
  session: Session;
  artifact: Artifact & { entity_refs: EntityLink[] };
}

function ArtifactView({ session, artifact }: ViewProps) {
  const { title, kind, created_at, run_id, entity_refs } = artifact;
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('runs')}>Runs</a>
        <a href={link(`runs/${run_id}`)}>The run</a>
      </nav>
      <h1>{title}</h1>
      <p class="quiet">
        <span class="kind">{kindText(kind)}</span> <Ago at={created_at} />
      </p>
      <div class="actions">
        <SaveActions session={session} artifact={artifact} />
      </div>
      <ArtifactBody artifact={artifact} />
      {entity_refs.length > 0 && (
        <section aria-labelledby="about">
          <h2 id="about">About these records</h2>
          <ul class="entries">
            {entity_refs.map(({ entity_id, role }) => (
              <li key={`${entity_id} ${role}`}>
                <a href={here({ record: `entity=${entity_id}` })}>
                  <EntityName session={session} entity={{ id: entity_id }} />
                </a>{' '}
                <span class="quiet">{role}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The content of an artifact, rendered by its kind. */
function ArtifactBody({ artifact }: { artifact: Artifact }) {
  switch (artifact.kind) {
    case 'table':
      return (
        <>
          <TableChart title={artifact.title} columns={artifact.columns} rows={artifact.rows} />
          <Table title={artifact.title} columns={artifact.columns} rows={artifact.rows} />
        </>
      );
    case 'text':
      return <Markdown text={artifact.content} below={1} />;
    case 'entity_card':
      return <Card content={artifact.content} />;
    default:
      return <Json value={artifact} />;
  }
}
