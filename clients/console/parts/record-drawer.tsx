// The record named in the address as `record=<kind>=<id>`, in a drawer next to the page.
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import type { Session } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { Markdown } from './markdown.tsx';
import { RecordView } from './record-view.tsx';
import { Show } from './show.tsx';

const KNOWN = /^(entity|note)=(.+)$/;

export function RecordDrawer({ session, record }: { session: Session; record: string | undefined }) {
  if (record === undefined) return null;
  const [, kind, id = record] = KNOWN.exec(record) ?? [];
  const Body = kind === 'entity' ? Entity : kind === 'note' ? Note : Other;
  return (
    <Dialog key={record} title="Record" onClose={() => go(here({ record: undefined }), { replace: true })}>
      <Body session={session} id={id} />
    </Dialog>
  );
}

interface Props {
  session: Session;
  id: string;
}

function Entity({ session, id }: Props) {
  const found = useResource(id, (signal) => session.client.entities.get(id, { signal }));
  return (
    <Show resource={found}>
      {(record) => (
        <>
          <h3>{record.name}</h3>
          <p class="row">
            <span class="kind">{record.type}</span> <a href={link(`records/${id}`)}>Open the record</a>
          </p>
          <RecordView record={record} />
        </>
      )}
    </Show>
  );
}

function Note({ session, id }: Props) {
  const note = useResource(id, (signal) => session.client.notes.get(id, { signal }));
  return (
    <Show resource={note}>
      {({ title, content }) => (
        <>
          <h3>{title}</h3>
          <Markdown text={content} below={3} />
        </>
      )}
    </Show>
  );
}

function Other({ id }: Props) {
  return (
    <p>
      <code>{id}</code>
    </p>
  );
}
