// The form in which a record is edited: its name, its address elsewhere and its fields.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Entity } from '../../sdk/index.ts';
import { ActionForm } from '../parts/action.tsx';
import { Choice } from '../parts/choice.tsx';
import type { Session } from '../session.ts';
import { labelOf } from '../view-models/figures.ts';
import {
  changesOf,
  draftOfRecord,
  type FieldDraft,
  type RecordDraft,
  withNewField,
} from '../view-models/record-draft.ts';

interface Props {
  session: Session;
  record: Entity;
  onSaved: (record: Entity) => void;
}

export function EditRecord({ session, record, onSaved }: Props) {
  const draft = useSignal<RecordDraft>(draftOfRecord(record));
  const set = (changed: Partial<RecordDraft>) => {
    draft.value = { ...draft.value, ...changed };
  };
  const save = async () => {
    const changes = changesOf(record, draft.value);
    const isChanged = Object.keys(changes).length > 0;
    onSaved(isChanged ? await session.client.entities.update(record.id, changes) : record);
  };
  const { name, uri, fields } = draft.value;
  return (
    <ActionForm act={save} confirm="Save" doing="Saving…">
      <label class="field">
        Name
        <input
          required
          maxLength={500}
          value={name}
          autocomplete="off"
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </label>
      {fields.map((field) => (
        <EditedField
          key={field.key}
          field={field}
          onChange={(changed) =>
            set({ fields: fields.map((one) => (one.key === field.key ? { ...one, ...changed } : one)) })
          }
        />
      ))}
      <p class="row">
        <button type="button" onClick={() => (draft.value = withNewField(draft.value))}>
          Add a field
        </button>
        <span class="hint">A field without a value is taken away.</span>
      </p>
      <label class="field">
        External URI
        <input
          value={uri}
          autocomplete="off"
          placeholder="crm:acme"
          onInput={({ currentTarget }) => set({ uri: currentTarget.value })}
        />
      </label>
    </ActionForm>
  );
}

interface FieldProps {
  field: FieldDraft;
  onChange: (changed: Partial<FieldDraft>) => void;
}

function EditedField({ field, onChange }: FieldProps) {
  const id = useId();
  if (!field.isNew)
    return (
      <div class="field">
        <label for={id} title={field.name}>
          {labelOf(field.name)}
        </label>
        <FieldValue id={id} field={field} onChange={onChange} />
      </div>
    );
  return (
    <div class="row">
      <input
        aria-label="Name of the new field"
        placeholder="name"
        value={field.name}
        maxLength={200}
        onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <FieldValue field={field} onChange={onChange} label="Value of the new field" />
    </div>
  );
}

const LONG_TEXT = 60;

interface ValueProps extends FieldProps {
  id?: string;
  label?: string;
}

function FieldValue({ id, field: { kind, text, isNew }, onChange, label }: ValueProps) {
  const type = (event: { currentTarget: { value: string } }) => onChange({ text: event.currentTarget.value });
  const isLong = useSignal(kind === 'json' || text.length > LONG_TEXT || text.includes('\n')).value;
  if (kind === 'boolean')
    return (
      <Choice
        id={id}
        options={[
          ['true', 'yes'],
          ['false', 'no'],
        ]}
        all="none"
        value={text}
        onChoose={(next) => onChange({ text: next })}
      />
    );
  if (isLong)
    return (
      <textarea id={id} class={kind === 'json' ? 'code' : undefined} rows={4} value={text} onInput={type} />
    );
  return (
    <input
      id={id}
      aria-label={label}
      placeholder={isNew ? 'value' : undefined}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      autocomplete="off"
      value={text}
      onInput={type}
    />
  );
}
