// Deletes the chosen records, or all that meet the conditions of the table.
import { useSignal } from '@preact/signals';
import type { EntityType } from '../../sdk/index.ts';
import { announce } from '../announce.ts';
import { ActionForm } from '../parts/action.tsx';
import { Confirmed, DialogButton } from '../parts/dialog-button.tsx';
import { allows, type Session } from '../session.ts';
import { counted } from '../view-models/figures.ts';
import { type RecordView, whereOf } from '../view-models/record-view.ts';

interface Props {
  session: Session;
  type: EntityType;
  view: RecordView;
  matched: number;
  chosen: ReadonlySet<string>;
  onDeleted: () => Promise<void>;
}

const WARNING =
  'Their relationships go with them, and the next answer no longer has them. There is no way back.';

export function DeleteRecords({ session, type, view, matched, chosen, onDeleted }: Props) {
  if (!allows(session, 'records:write'))
    return (
      <span class="quiet">
        To change records, a key needs the scope <code>records:write</code>.
      </span>
    );
  const deleteChosen = async () => {
    const { deleted } = await session.client.entities.deleteMany({ ids: [...chosen] });
    announce(`${counted(deleted, 'record')} deleted`);
    await onDeleted();
  };
  if (chosen.size > 0)
    return (
      <Confirmed
        button={`Delete ${counted(chosen.size, 'record')}`}
        title={`Delete ${counted(chosen.size, 'record')}?`}
        text={WARNING}
        confirm="Delete"
        doing="Deleting…"
        act={deleteChosen}
      />
    );
  if (matched === 0) return null;
  return (
    <DialogButton
      class="danger"
      text={`Delete all ${matched.toLocaleString('en')}`}
      title={`Delete ${counted(matched, 'record')}?`}
    >
      {(close) => (
        <DeleteAll
          session={session}
          type={type}
          view={view}
          matched={matched}
          onDeleted={async () => {
            close();
            await onDeleted();
          }}
        />
      )}
    </DialogButton>
  );
}

/** What leaves nothing of a type or a condition is confirmed by typing how many records it is about. */
function DeleteAll({ session, type, view, matched, onDeleted }: Omit<Props, 'chosen'>) {
  const deleted = useSignal(0);
  const where = whereOf(view, type);
  const deleteAll = async (fields: FormData) => {
    if (Number(fields.get('count')) !== matched) throw new Error(`The number to type is ${matched}.`);
    for (let hasMore = true; hasMore; ) {
      const reply = await session.client.entities.deleteMany({ type: type.type, ...(where && { where }) });
      deleted.value += reply.deleted;
      hasMore = reply.has_more && reply.deleted > 0;
    }
    announce(`${counted(deleted.value, 'record')} deleted`);
    await onDeleted();
  };
  return (
    <ActionForm act={deleteAll} confirm="Delete" doing={`${deleted.value.toLocaleString('en')} deleted…`}>
      <p>{WARNING}</p>
      <label class="field">
        Type {matched} to confirm
        <input name="count" inputMode="numeric" required autocomplete="off" />
      </label>
    </ActionForm>
  );
}
