// The form of an answer: a field for each property of its flat schema, and the answer that the filled fields mean.
import type { OutputSchema } from '../../sdk/index.ts';
import { labelOf } from './figures.ts';

type Scalar = string | number | boolean | null;
/** A value of an answer. */
export type AnswerValue = Scalar | Scalar[];

export interface Option {
  text: string;
  value: Scalar;
}

/** What a field is filled with. */
type Control =
  | { is: 'text'; isLong: boolean }
  | { is: 'date' }
  | { is: 'time' }
  | { is: 'number'; isWhole: boolean; min: number | undefined; max: number | undefined }
  | { is: 'choice'; options: readonly Option[] }
  | { is: 'choices'; options: readonly Option[] }
  | { is: 'lines'; read: (line: string) => Scalar };

export interface AnswerField {
  name: string;
  label: string;
  hint: string | undefined;
  isRequired: boolean;
  allowsNull: boolean;
  control: Control;
}

/**
 * What is typed or chosen in a field: one text, of choices the numbers of the options. Nothing is an empty list, or one
 * empty text.
 */
export type Entered = readonly string[];

/** The fields of a schema in plain keywords, in its order. */
export function fieldsOfAnswer({ properties = {}, required = [] }: OutputSchema): AnswerField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: schema.title || labelOf(name),
    hint: hintOf(schema),
    isRequired: required.includes(name),
    allowsNull: typesOf(schema).includes('null'),
    control: controlOf(schema),
  }));
}

const typesOf = ({ type = [] }: OutputSchema): readonly string[] => [type].flat();
const typeOf = (schema: OutputSchema) => typesOf(schema).find((type) => type !== 'null');

/** A text of more characters has several lines. */
const LINE_CHARACTERS = 200;

function controlOf(schema: OutputSchema): Control {
  const { format, minimum, maximum, maxLength = Number.POSITIVE_INFINITY, items = {} } = schema;
  const options = optionsOf(schema);
  if (options) return { is: 'choice', options };
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return { is: 'number', isWhole: typeOf(schema) === 'integer', min: minimum, max: maximum };
    case 'array': {
      const among = optionsOf(items);
      return among ? { is: 'choices', options: among } : { is: 'lines', read: lineReader(items) };
    }
    default:
      if (format === 'date') return { is: 'date' };
      if (format === 'date-time') return { is: 'time' };
      return { is: 'text', isLong: maxLength > LINE_CHARACTERS };
  }
}

/** The values of which one is chosen; undefined where any may be written. */
function optionsOf(schema: OutputSchema): Option[] | undefined {
  const values = schema.enum ?? (typeOf(schema) === 'boolean' ? [true, false] : undefined);
  return values?.map((value) => ({ text: optionText(value), value }));
}

function optionText(value: Scalar): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value === null ? 'None' : String(value);
}

/** What is no number stays a text, which the service refuses with its line. */
const lineReader = (items: OutputSchema) =>
  typeOf(items) === 'number' || typeOf(items) === 'integer'
    ? (line: string) => (Number.isFinite(Number(line)) ? Number(line) : line)
    : (line: string) => line;

/** What its author says of it, and what it may be where the control does not show that. */
function hintOf(schema: OutputSchema): string | undefined {
  const { description, minimum, maximum, minItems, maxItems, minLength, maxLength, items } = schema;
  const isChoice = optionsOf(schema) !== undefined;
  const said = [
    description,
    typeOf(schema) === 'array' && !optionsOf(items ?? {}) && 'One entry a line.',
    boundsText(minimum, maximum, ''),
    boundsText(minItems, maxItems, ' entries'),
    !isChoice && boundsText(minLength, maxLength, ' characters'),
    schema.format === 'date-time' && 'In the time zone of this device.',
  ];
  return said.filter(Boolean).join(' ') || undefined;
}

function boundsText(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const [from, to] = [least, most].map((bound) => bound?.toLocaleString('en'));
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}.`;
  if (from !== undefined) return `At least ${from}${unit}.`;
  return to === undefined ? undefined : `At most ${to}${unit}.`;
}

/** What a field is filled with; it may be called `constructor`. */
export const enteredIn = (entered: Readonly<Record<string, Entered>>, name: string): Entered =>
  (Object.hasOwn(entered, name) && entered[name]) || [];

/** The answer of filled fields. What is empty is left out; what is needed is null or an empty list, where it may be. */
export function answerOf(
  fields: readonly AnswerField[],
  entered: Readonly<Record<string, Entered>>,
): Record<string, AnswerValue> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = readValue(field, enteredIn(entered, field.name));
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function readValue(
  { control, isRequired, allowsNull }: AnswerField,
  entered: Entered,
): AnswerValue | undefined {
  const [first = ''] = entered;
  switch (control.is) {
    case 'choices': {
      const chosen = control.options.filter((_, at) => entered.includes(String(at)));
      return chosen.length > 0 || isRequired ? chosen.map(({ value }) => value) : undefined;
    }
    case 'lines': {
      const lines = first.split('\n').flatMap((line) => line.trim() || []);
      return lines.length > 0 || isRequired ? lines.map(control.read) : undefined;
    }
    case 'choice': {
      const chosen = first === '' ? undefined : control.options[Number(first)];
      return chosen ? chosen.value : nothing(isRequired, allowsNull);
    }
    default:
      return first.trim() === '' ? nothing(isRequired, allowsNull) : scalarOf(control, first);
  }
}

const nothing = (isRequired: boolean, allowsNull: boolean) => (isRequired && allowsNull ? null : undefined);

function scalarOf({ is }: Control, text: string): Scalar {
  if (is === 'number') return Number(text);
  return is === 'time' ? new Date(text).toISOString() : text;
}
