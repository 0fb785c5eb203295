// The field of one step param, by its kind.
import type { EntityRef } from '../../sdk/index.ts';
import { paramTexts, type StepKind } from '../contract.ts';
import { EntityName } from '../parts/entity-name.tsx';
import { stepsOf } from '../view-models/draft.ts';
import { labelOf } from '../view-models/figures.ts';
import type { FieldKind } from '../view-models/step-fields.ts';
import { lineList, numberText, type Writing, wordList } from '../view-models/typed-text.ts';
import { EntityPicker } from './entity-picker.tsx';
import { TextField } from './field.tsx';
import { MeasuresField, SortField } from './order-fields.tsx';
import { useForm } from './run-form.ts';
import { WhereField } from './where-field.tsx';

const texts: Readonly<
  Record<string, Readonly<Record<string, string | { description: string; default: unknown }>>>
> = paramTexts;

/** The meaning of a param, and its default. */
function hintOf(kind: StepKind, name: string, field: FieldKind): string {
  const found = texts[kind]?.[name] ?? '';
  const meaning =
    typeof found === 'string' ? found : `${found.description} Default: ${shown(found.default)}.`;
  const how = field === 'words' ? ' Separated by commas.' : field === 'lines' ? ' One a line.' : '';
  return `${meaning}${how}`.replaceAll('`', '').trim();
}

const shown = (value: unknown) => (value === '' ? 'empty' : String(value));

const writings: Partial<Record<FieldKind, Writing>> = {
  number: numberText,
  words: wordList,
  lines: lineList,
};

interface Props {
  step: number;
  kind: StepKind;
  name: string;
  field: FieldKind;
}

/** The sources that every workspace has; the types of its records are others. */
const SOURCES = ['entities', 'notes', 'relationships', 'artifacts'];

export function ParamField({ step, kind, name, field }: Props) {
  const form = useForm();
  const common = {
    path: `plan.steps.${step}.params.${name}`,
    label: labelOf(name),
    hint: hintOf(kind, name, field),
  };
  switch (field) {
    case 'steps':
      return <StepsField {...common} step={step} />;
    case 'where':
      return <WhereField {...common} />;
    case 'sort':
      return <SortField {...common} />;
    case 'measures':
      return <MeasuresField {...common} />;
    case 'entities':
      return <EntitiesField {...common} />;
    default: {
      const writing = writings[field];
      const types = form.types.value.map(({ type }) => type);
      const live = kind === 'fetch' ? form.sources.value.map((source) => source.name) : [];
      const options =
        name === 'source'
          ? [...live, ...types, ...SOURCES]
          : name === 'group_by'
            ? form.fieldsAt(common.path)
            : [];
      return (
        <TextField
          {...common}
          rows={field === 'area' ? 4 : 1}
          options={options}
          {...(writing && { writing })}
        />
      );
    }
  }
}

interface CommonProps {
  path: string;
  label: string;
  hint: string;
}

/** Earlier steps by title. A selected step that is no longer earlier stays listed, so that it can be removed. */
function StepsField({ path, label, hint, step }: CommonProps & { step: number }) {
  const form = useForm();
  const found = form.at(path);
  const named: number[] = Array.isArray(found) ? found : [];
  const steps = stepsOf(form.draft.value);
  const choices = steps.map((_, at) => at).filter((at) => at < step || named.includes(at));
  const issue = form.issueAt(path);
  const toggle = (at: number) => {
    const next = named.includes(at)
      ? named.filter((one) => one !== at)
      : [...named, at].sort((a, b) => a - b);
    form.set(path, next.length > 0 ? next : undefined);
  };
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      <p class="hint">{step === 0 ? 'No step comes before this one.' : hint}</p>
      {choices.map((at) => (
        <label class="check" key={at}>
          <input
            type="checkbox"
            checked={named.includes(at)}
            aria-invalid={issue !== undefined && named.includes(at)}
            onChange={() => toggle(at)}
          />
          {at + 1}. {String(steps[at]?.title ?? '')} {at >= step && '(comes later)'}
        </label>
      ))}
      {issue && <p class="refused">{issue.message}</p>}
    </fieldset>
  );
}

/** References to records, each with its name. */
function EntitiesField({ path, label, hint }: CommonProps) {
  const form = useForm();
  const found = form.at(path);
  const entities: EntityRef[] = Array.isArray(found) ? found : [];
  const issue = form.issueAt(path);
  const replace = (next: EntityRef[]) => form.set(path, next.length > 0 ? next : undefined);
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      <p class="hint">{hint}</p>
      {entities.map((entity, at) => (
        <p class="row" key={JSON.stringify(entity)}>
          <EntityName session={form.session} entity={entity} />
          <button type="button" class="danger" onClick={() => replace(entities.toSpliced(at, 1))}>
            Remove <span class="unseen">the record</span>
          </button>
        </p>
      ))}
      <EntityPicker
        session={form.session}
        id={`at-${path.replaceAll('.', '-')}`}
        label="Add a record"
        invalid={issue !== undefined}
        onPick={({ entity_id }) => replace([...entities, { id: entity_id }])}
      />
      {issue && <p class="refused">{issue.message}</p>}
    </fieldset>
  );
}
