// Conditions over record fields: simple ones, and groups joined by and, or, not.
import { operators } from '../contract.ts';
import {
  blankCondition,
  type Connective,
  connectiveOf,
  withOperator,
  wrapped,
} from '../view-models/condition-draft.ts';
import { valueAt } from '../view-models/draft.ts';
import { plainText, scalarList, scalarText } from '../view-models/typed-text.ts';
import { ChoiceField, FieldGroup, type FieldTexts, TextField } from './field.tsx';
import { useForm } from './run-form.ts';

const operatorTexts = Object.fromEntries(operators.map((op) => [op, op.replaceAll('_', ' ')]));

/** The optional condition of a step. */
export function WhereField({ path, label, hint }: FieldTexts) {
  const form = useForm();
  return (
    <FieldGroup path={path} label={label} hint={hint} partsHaveFields>
      {form.at(path) === undefined ? (
        <button type="button" onClick={() => form.set(path, blankCondition)}>
          Add a condition
        </button>
      ) : (
        <Where path={path} onRemove={() => form.set(path, undefined)} />
      )}
    </FieldGroup>
  );
}

const joins: Readonly<Record<string, Connective>> = { 'And…': 'and', 'Or…': 'or', Not: 'not' };

interface WhereProps {
  path: string;
  onRemove: () => void;
}

function Where({ path, onRemove }: WhereProps) {
  const connective = connectiveOf(useForm().at(path));
  if (connective === undefined) return <Condition path={path} onRemove={onRemove} />;
  if (connective === 'not') return <Negation path={path} />;
  return <Group path={path} connective={connective} onRemove={onRemove} />;
}

function Condition({ path, onRemove }: WhereProps) {
  const form = useForm();
  const condition = form.at(path);
  const op = String(valueAt(condition, 'op'));
  const wrap = (connective: Connective) => form.set(path, wrapped(condition, connective));
  return (
    <div class="condition">
      <TextField path={`${path}.field`} label="Field" />
      <ChoiceField
        path={`${path}.op`}
        label="Is"
        options={operatorTexts}
        value={op}
        onChoose={(next) => form.set(path, withOperator(condition, next))}
      />
      <ConditionValue path={`${path}.value`} op={op} />
      <span class="row">
        {Object.entries(joins).map(([text, connective]) => (
          <button key={text} type="button" onClick={() => wrap(connective)}>
            {text}
          </button>
        ))}
        <button type="button" class="danger" onClick={onRemove}>
          Remove <span class="unseen">the condition</span>
        </button>
      </span>
    </div>
  );
}

function ConditionValue({ path, op }: { path: string; op: string }) {
  const form = useForm();
  if (op === 'exists')
    return (
      <ChoiceField
        path={path}
        label="Value"
        options={{ true: 'yes', false: 'no' }}
        value={String(form.at(path))}
        onChoose={(value) => form.set(path, value === 'true')}
      />
    );
  if (op === 'in')
    return <TextField path={path} label="Values" writing={scalarList} hint="Separated by commas." />;
  const isText = op === 'contains' || op === 'starts_with';
  // One input for both kinds would keep the text typed for the other.
  return <TextField key={isText} path={path} label="Value" writing={isText ? plainValue : scalarText} />;
}

/** A text that may be empty while it is edited. */
const plainValue = { ...plainText, read: (text: string) => text };

function Negation({ path }: { path: string }) {
  const form = useForm();
  return (
    <fieldset class="group">
      <legend>Not</legend>
      <button type="button" onClick={() => form.set(path, valueAt(form.at(path), 'not'))}>
        Remove the “not”
      </button>
      <Where path={`${path}.not`} onRemove={() => form.set(path, { not: blankCondition })} />
    </fieldset>
  );
}

function Group({ path, connective, onRemove }: WhereProps & { connective: 'and' | 'or' }) {
  const form = useForm();
  const inner = `${path}.${connective}`;
  const members = form.listAt(inner);
  const without = (at: number) => {
    const left = members.toSpliced(at, 1);
    if (left.length === 0) onRemove();
    else form.set(path, left.length === 1 ? left[0] : { [connective]: left });
  };
  return (
    <fieldset class="group">
      <legend>{connective === 'and' ? 'All of these' : 'Any of these'}</legend>
      <button
        type="button"
        onClick={() => form.set(path, { [connective === 'and' ? 'or' : 'and']: members })}
      >
        {connective === 'and' ? 'Any must match' : 'All must match'}
      </button>
      {members.map((_, at) => (
        <Where key={`${at} of ${members.length}`} path={`${inner}.${at}`} onRemove={() => without(at)} />
      ))}
      <button type="button" onClick={() => form.set(inner, [...members, blankCondition])}>
        Add a condition
      </button>
    </fieldset>
  );
}
