// What can be done with one record: edited and deleted, by a key that may.
import type { Entity } from '../../sdk/index.ts';
import { announce } from '../announce.ts';
import { Confirmed, DialogButton } from '../parts/dialog-button.tsx';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { EditRecord } from './edit-record.tsx';

interface Props {
  session: Session;
  record: Entity;
  onSaved: (record: Entity) => void;
}

export function RecordActions({ session, record, onSaved }: Props) {
  if (!allows(session, 'records:write'))
    return (
      <p class="quiet">
        To change it, a key needs the scope <code>records:write</code>.
      </p>
    );
  const remove = async () => {
    await session.client.entities.delete(record.id);
    announce(`${record.name} deleted`);
    go(link('records', { type: record.type }));
  };
  return (
    <div class="actions">
      <DialogButton text="Edit" title={`Edit ${record.name}`}>
        {(close) => (
          <EditRecord
            session={session}
            record={record}
            onSaved={(saved) => {
              close();
              onSaved(saved);
              announce('Saved');
            }}
          />
        )}
      </DialogButton>
      <Confirmed
        button="Delete"
        title={`Delete ${record.name}?`}
        text="Its relationships go with it, and the next answer no longer has it. There is no way back."
        confirm="Delete"
        doing="Deleting…"
        act={remove}
      />
    </div>
  );
}
