// One record: its fields and relationships, a dossier about it, and what else a key may do with it.
import type { CreateRun, Entity } from '../../sdk/index.ts';
import { RecordView } from '../parts/record-view.tsx';
import { Show } from '../parts/show.tsx';
import { RecordActions } from '../records/record-actions.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import type { PageProps } from './page.ts';

export function RecordPage({ session, id }: PageProps) {
  const record = useResource(id, (signal) => session.client.entities.get(id, { signal }));
  const loaded = record.loaded.value;
  useTitle(loaded.state === 'ready' ? loaded.value.name : 'Record');
  return (
    <>
      {loaded.state !== 'ready' && <h1>Record</h1>}
      <Show resource={record}>
        {(found) => <Found session={session} record={found} onSaved={record.replace} />}
      </Show>
    </>
  );
}

interface FoundProps {
  session: Session;
  record: Entity;
  onSaved: (record: Entity) => void;
}

function Found({ session, record, onSaved }: FoundProps) {
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('records')}>Records</a>
        <a href={link('records', { type: record.type })}>{record.type}</a>
      </nav>
      <div class="row spread">
        <h1>{record.name}</h1>
        {allows(session, 'runs:create') && (
          <a class="button primary" href={link('new', { body: JSON.stringify(dossierOf(record.id)) })}>
            Write a dossier
          </a>
        )}
      </div>
      <RecordActions session={session} record={record} onSaved={onSaved} />
      <RecordView record={record} />
    </>
  );
}

const dossierOf = (id: string): CreateRun => ({
  input_type: 'preset',
  preset: 'dossier',
  params: { entity: { id } },
});
