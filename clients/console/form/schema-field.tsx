// The field of a value, by what its schema says of it.
import type { ComponentType } from 'preact';
import * as z from 'zod';
import type { EntityRef } from '../../sdk/index.ts';
import { FieldSort, Measure, sortWords } from '../contract.ts';
import { EntityName } from '../parts/entity-name.tsx';
import { stepsOf } from '../view-models/draft.ts';
import { labelOf } from '../view-models/figures.ts';
import { valuesOf } from '../view-models/step-fields.ts';
import { groupList, numberText, wordList } from '../view-models/typed-text.ts';
import { EntityPicker } from './entity-picker.tsx';
import { ChoiceField, FieldGroup, type FieldTexts, TextField } from './field.tsx';
import { useForm } from './run-form.ts';
import { WhereField } from './where-field.tsx';

interface Props extends FieldTexts {
  schema: z.core.$ZodType;
}

/** The fields, by the values of their schemas. */
const fields: Readonly<Record<string, ComponentType<Props>>> = {
  string: StringField,
  number: (props) => <TextField {...props} writing={numberText} />,
  'string[]': ({ hint = '', ...props }) => (
    <TextField {...props} writing={wordList} hint={`${hint} Separated by commas.`.trim()} />
  ),
  'GroupField[]': ({ hint = '', ...props }) => (
    <TextField
      {...props}
      writing={groupList}
      hint={`${hint} Separated by commas: city, created_at by month, total by 20.`.trim()}
    />
  ),
  'number[]': StepsField,
  enum: WordField,
  MeasureOp: WordField,
  'Measure[]': (props) => (
    <RowsField
      {...props}
      noun="measure"
      blank={{ as: '', op: 'sum' }}
      entry={Measure}
      labels={{ as: 'Name', op: 'Is the', field: 'Of the field' }}
    />
  ),
  'EntityRef[]': EntitiesField,
  Sort: SortField,
  Where: WhereField,
};

/** Throws Error for a schema whose values have no field. */
export function SchemaField(props: Props) {
  const values = valuesOf(props.schema);
  const Field = fields[values];
  if (!Field) throw new Error(`the form has no field for ${values}`);
  return <Field {...props} />;
}

/** A longer text has several lines. */
const LINE_CHARACTERS = 2000;

function StringField({ schema, ...props }: Props) {
  const { maxLength } = z.globalRegistry.get(schema) ?? {};
  return <TextField {...props} rows={Number(maxLength) > LINE_CHARACTERS ? 4 : 1} />;
}

/** One of a few words; the first by default. */
function WordField({ schema, ...props }: Props) {
  const words = schema instanceof z.ZodEnum ? schema.options : [];
  return (
    <ChoiceField {...props} options={Object.fromEntries(words.map((word) => [String(word), String(word)]))} />
  );
}

const BY_FIELDS = 'by fields';
const words = Object.fromEntries(sortWords.map((word) => [word, word.replace('_', ' ')]));

function SortField(props: Props) {
  const form = useForm();
  const sort = form.at(props.path);
  const byFields = Array.isArray(sort);
  const choose = (word: string) =>
    form.set(props.path, word === BY_FIELDS ? [{ field: '' }] : word === '' ? undefined : word);
  return (
    <>
      <ChoiceField
        {...props}
        options={{ '': 'By relevance to a query, else by id', ...words, [BY_FIELDS]: 'By fields…' }}
        value={byFields ? BY_FIELDS : String(sort ?? '')}
        onChoose={choose}
      />
      {byFields && (
        <RowsField path={props.path} label="Sort by" noun="field" blank={{ field: '' }} entry={FieldSort} />
      )}
    </>
  );
}

interface RowsProps extends FieldTexts {
  /** The name of an entry. */
  noun: string;
  /** A new entry. */
  blank: object;
  entry: z.ZodObject;
  labels?: Readonly<Record<string, string>>;
}

/** A list of entries with several members each: one row of fields per entry. */
function RowsField({ noun, blank, entry, labels = {}, ...props }: RowsProps) {
  const form = useForm();
  const entries = form.listAt(props.path);
  const replace = (next: unknown[]) => form.setList(props.path, next);
  return (
    <FieldGroup {...props} partsHaveFields>
      {entries.map((_, at) => (
        <div class="condition" key={`${at} of ${entries.length}`}>
          {Object.entries(entry.shape).map(([name, schema]) => (
            <SchemaField
              key={name}
              path={`${props.path}.${at}.${name}`}
              label={labels[name] ?? labelOf(name)}
              schema={schema}
            />
          ))}
          <button type="button" class="danger" onClick={() => replace(entries.toSpliced(at, 1))}>
            Remove <span class="unseen">the {noun}</span>
          </button>
        </div>
      ))}
      <button type="button" onClick={() => replace([...entries, blank])}>
        Add a {noun}
      </button>
    </FieldGroup>
  );
}

/** Earlier steps by title. A selected step that is no longer earlier stays listed, so that it can be removed. */
function StepsField({ path, label, hint }: Props) {
  const form = useForm();
  const step = Number(path.split('.')[2]);
  const named = form.listAt<number>(path);
  const steps = stepsOf(form.draft.value);
  const isRefused = form.issueAt(path) !== undefined;
  const toggle = (at: number) => {
    const others = named.filter((one) => one !== at);
    form.setList(path, named.includes(at) ? others : [...others, at].sort((a, b) => a - b));
  };
  return (
    <FieldGroup path={path} label={label} hint={step === 0 ? 'No step comes before this one.' : hint}>
      {steps.map(
        ({ key, title = '' }, at) =>
          (at < step || named.includes(at)) && (
            <label class="check" key={key}>
              <input
                type="checkbox"
                checked={named.includes(at)}
                aria-invalid={isRefused && named.includes(at)}
                onChange={() => toggle(at)}
              />
              {at + 1}. {String(title)} {at >= step && '(comes later)'}
            </label>
          ),
      )}
    </FieldGroup>
  );
}

/** References to records, each with its name. */
function EntitiesField({ path, label, hint }: Props) {
  const form = useForm();
  const entities = form.listAt<EntityRef>(path);
  return (
    <FieldGroup path={path} label={label} hint={hint}>
      {entities.map((entity, at) => (
        <p class="row" key={JSON.stringify(entity)}>
          <EntityName session={form.session} entity={entity} />
          <button type="button" class="danger" onClick={() => form.setList(path, entities.toSpliced(at, 1))}>
            Remove <span class="unseen">the record</span>
          </button>
        </p>
      ))}
      <EntityPicker
        path={path}
        label="Add a record"
        onPick={({ entity_id }) => form.setList(path, [...entities, { id: entity_id }])}
      />
    </FieldGroup>
  );
}
