// What is chosen for a file: the type of its records, which columns name them, and what becomes of those that exist.
import type { Signal } from '@preact/signals';
import { Choice } from '../parts/choice.tsx';
import type { ImportChoices } from '../view-models/import-view.ts';

interface Props {
  /** Empty where each row says itself what it is. */
  columns: readonly string[];
  /** The column that the reader found for the name. */
  found: string | undefined;
  known: readonly string[];
  choices: Signal<ImportChoices>;
}

export function ImportFields({ columns, found, known, choices }: Props) {
  const { type, name_field, id_field, updates } = choices.value;
  const change = (chosen: Partial<ImportChoices>) => {
    choices.value = { ...choices.peek(), ...chosen };
  };
  const options = columns.map((name) => [name, name] as const);
  return (
    <>
      {columns.length > 0 && (
        <div class="params">
          <label>
            Type of the records
            <input
              list="import-types"
              required
              pattern=".*\S.*"
              maxLength={100}
              autocomplete="off"
              placeholder="company, ticket, …"
              value={type}
              onInput={({ currentTarget }) => change({ type: currentTarget.value })}
            />
            <datalist id="import-types">
              {known.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </label>
          <label>
            Column with the name
            <Choice
              options={options}
              value={name_field}
              all={found === undefined ? 'found out' : `found out: ${found}`}
              onChoose={(name) => change({ name_field: name || undefined })}
            />
          </label>
          <label>
            Column with an id
            <Choice
              options={options}
              value={id_field}
              all="none"
              onChoose={(name) => change({ id_field: name || undefined })}
            />
          </label>
        </div>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={updates}
          onChange={({ currentTarget }) => change({ updates: currentTarget.checked })}
        />{' '}
        Records that exist get the content of their rows
      </label>
    </>
  );
}
