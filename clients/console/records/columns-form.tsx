// Which columns a table of records has.
import type { EntityType } from '../../sdk/index.ts';
import { labelOf } from '../view-models/figures.ts';
import { columnChoices } from '../view-models/record-view.ts';

interface Props {
  type: EntityType;
  columns: readonly string[];
  onChoose: (columns: readonly string[]) => void;
}

export function ColumnsForm({ type, columns, onChoose }: Props) {
  const choices = columnChoices(type);
  const toggle = (name: string) => {
    const chosen = columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name];
    // A table without a column would be one of all columns.
    if (chosen.length > 0) onChoose(choices.filter((one) => chosen.includes(one)));
  };
  return (
    <fieldset class="group">
      <legend>Columns</legend>
      <div class="row checks">
        {choices.map((name) => (
          <label key={name} class="check" title={name}>
            <input
              type="checkbox"
              checked={columns.includes(name)}
              disabled={columns.length === 1 && columns.includes(name)}
              onChange={() => toggle(name)}
            />{' '}
            {labelOf(name)}
          </label>
        ))}
      </div>
      <div class="row">
        <button type="button" onClick={() => onChoose(choices)}>
          All columns
        </button>
      </div>
    </fieldset>
  );
}
