// The conditions that records must meet, all of them: rows of field, operator and value, applied together.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { EntityType } from '../../sdk/index.ts';
import { Choice } from '../parts/choice.tsx';
import { labelOf } from '../view-models/figures.ts';
import {
  attributes,
  type Condition,
  conditionOf,
  type Operator,
  operatorTexts,
  textOf,
} from '../view-models/record-view.ts';

/** A search adds conditions of its words. */
const MOST_CONDITIONS = 10;

interface Draft {
  key: number;
  field: string;
  op: Operator;
  text: string;
}

interface Props {
  type: EntityType;
  conditions: readonly Condition[];
  onApply: (conditions: Condition[]) => void;
}

export function ConditionsForm({ type, conditions, onApply }: Props) {
  const drafts = useSignal<readonly Draft[]>(
    conditions.length > 0
      ? conditions.map(({ field, op, value }, key) => ({ key, field, op, text: textOf(op, value) }))
      : [blank(type, 0)],
  );
  const change = (key: number, changed: Partial<Draft>) => {
    drafts.value = drafts.value.map((one) => (one.key === key ? { ...one, ...changed } : one));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const written = drafts.value.filter(({ op, text }) => op === 'exists' || text.trim() !== '');
    onApply(written.map(({ field, op, text }) => conditionOf(field, op, text, type)));
  };
  const add = () => {
    const key = Math.max(-1, ...drafts.value.map((one) => one.key)) + 1;
    drafts.value = [...drafts.value, blank(type, key)];
  };
  return (
    <form class="group" aria-label="Conditions" onSubmit={submit}>
      {drafts.value.map((draft) => (
        <ConditionRow
          key={draft.key}
          type={type}
          draft={draft}
          onChange={(changed) => change(draft.key, changed)}
          onRemove={() => (drafts.value = drafts.value.filter(({ key }) => key !== draft.key))}
        />
      ))}
      <div class="row">
        <button type="submit" class="primary">
          Apply
        </button>
        <button type="button" disabled={drafts.value.length >= MOST_CONDITIONS} onClick={add}>
          Add a condition
        </button>
      </div>
    </form>
  );
}

const blank = ({ fields }: EntityType, key: number): Draft => ({
  key,
  field: fields[0]?.field ?? 'name',
  op: '=',
  text: '',
});

interface RowProps {
  type: EntityType;
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  onRemove: () => void;
}

function ConditionRow({ type, draft: { field, op, text }, onChange, onRemove }: RowProps) {
  const known = type.fields.find((one) => one.field === field);
  const id = useId();
  const fields = ['name', ...type.fields.map((one) => one.field), ...attributes];
  const yesNo = op === 'exists' || known?.kinds.join() === 'boolean';
  return (
    <div class="row condition-row">
      <Choice
        aria-label="Field"
        options={fields.map((name) => [name, labelOf(name)])}
        value={field}
        onChoose={(next) => onChange({ field: next, text: '' })}
      />
      <Choice
        aria-label="Operator"
        options={Object.entries(operatorTexts)}
        value={op}
        onChoose={(next) => onChange({ op: operatorOf(next), text: next === 'exists' ? 'yes' : text })}
      />
      {yesNo ? (
        <Choice
          aria-label="Value"
          options={op === 'exists' ? existence : truth}
          value={text}
          onChoose={(next) => onChange({ text: next })}
        />
      ) : (
        <input
          aria-label="Value"
          list={id}
          value={text}
          maxLength={200}
          placeholder={op === 'in' ? 'one, another' : ''}
          autocomplete="off"
          onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      )}
      <datalist id={id}>
        {known?.samples.map((sample) => (
          <option key={String(sample)} value={String(sample)} />
        ))}
      </datalist>
      <button type="button" class="danger" onClick={onRemove}>
        Remove <span class="unseen">&nbsp;the condition on {field}</span>
      </button>
    </div>
  );
}

const existence = [
  ['yes', 'yes'],
  ['no', 'no'],
] as const;
const truth = [
  ['', 'choose'],
  ['true', 'yes'],
  ['false', 'no'],
] as const;

const operatorOf = (text: string): Operator =>
  (Object.keys(operatorTexts) as Operator[]).find((op) => op === text) ?? '=';
