// What a query asks to count or compute over records, and what it groups by.
import { type Measure, nameOfPath } from '#contract/conditions.ts';
import type { Outline, OutlineField } from '#contract/record-queries.ts';
import { fieldAtStart, fieldsOfTypes, hasNumbers } from './known-fields.ts';
import { typeMentions, typesNamed, wordsWithPositions } from './type-mentions.ts';

export interface MeasureWords {
  /** The query without these words. */
  rest: string;
  types: string[];
  group_by: OutlineField[];
  measure: Measure;
}

const LEAD =
  "^(?:(?:please|can you|could you|tell|show|give|list|find|get|compute|calculate|what's|what|which|is|are|was|were|the|an?|me|us|all|our)\\s+)*";
const COUNT = new RegExp(`${LEAD}(?:how many|(?:total )?(?:number|count) of|count)\\s+(?:of\\s+)?`, 'i');
const COMPUTED = new RegExp(
  `${LEAD}(average|avg|mean|total|combined|sum of|summed|maximum|max|highest|largest|biggest|minimum|min|lowest|smallest)\\s+`,
  'i',
);
/** What is computed, and how its name begins. */
const OPS: Record<string, [Measure['op'], string]> = {
  ...words('avg', 'average', ['average', 'avg', 'mean']),
  ...words('sum', 'total', ['total', 'combined', 'sum of', 'summed']),
  ...words('max', 'highest', ['maximum', 'max', 'highest', 'largest', 'biggest']),
  ...words('min', 'lowest', ['minimum', 'min', 'lowest', 'smallest']),
};
/** What may follow the field of a measure. */
const OVER = /^\s*(?:$|(?:of|for|across|among|over|in|by|per|from|at|with|grouped)\b)/i;
const GROUP =
  /\b(?:(?:grouped|broken down|split)\s+by|per|by|(?:for|in|of|at)\s+(?:each|every)|each|every)\s+(?=\S)/i;
const GROUPS_MAX = 3;
/** What a counting question says apart from its records. */
const THERE =
  /\b(?:are there|is there|there are|do we have|have we got|do exist|exist|in total|altogether|overall)\b/gi;
const NAME_MAX_CHARACTERS = 100;

function words(op: Measure['op'], name: string, said: string[]): Record<string, [Measure['op'], string]> {
  return Object.fromEntries(said.map((word) => [word, [op, name]]));
}

/** Parses a query that asks for a number, overall or per group; null for every other query. */
export function readMeasure(query: string, shape: Outline): MeasureWords | null {
  const text = query.replace(THERE, ' ').replace(/\s+/g, ' ').trim();
  const count = COUNT.exec(text);
  if (count) return counted(text.slice(count[0].length), shape);
  const computed = COMPUTED.exec(text);
  return computed ? computedOver(text.slice(computed[0].length), computed[1] ?? '', shape) : null;
}

function counted(text: string, shape: Outline): MeasureWords | null {
  const types = typesNamed(withoutGroups(text), shape);
  return isAboutTypes(text, shape) ? grouped(text, types, { as: 'count', op: 'count' }, shape) : null;
}

/** Whether records are counted rather than values: no field is named before their type. */
function isAboutTypes(text: string, shape: Outline): boolean {
  const [first] = typeMentions(text, shape);
  if (!first || (!first.literal && namesNumber(text.slice(first.start), shape))) return false;
  const fields = fieldsOfTypes(shape, first.types).filter(({ kinds }) => !kinds.includes('boolean'));
  const before = text.slice(0, first.start);
  return wordsWithPositions(before).every(
    ({ start }) => fieldAtStart(before.slice(start), fields) === undefined,
  );
}

/** "How many employees" may ask for a numeric field of companies. */
function namesNumber(text: string, shape: Outline): boolean {
  return (
    fieldAtStart(
      text,
      numbersOf(
        shape,
        shape.types.map(({ type }) => type),
      ),
    ) !== undefined
  );
}

function computedOver(text: string, said: string, shape: Outline): MeasureWords | null {
  if (typeMentions(text, shape).some(({ start, literal }) => start === 0 && literal)) return null;
  const named = fieldAtStart(
    text,
    numbersOf(
      shape,
      shape.types.map(({ type }) => type),
    ),
  );
  if (!named || !OVER.test(named.rest)) return null;
  const types = ownersOf(text, named, shape);
  const [field] = fieldAtStart(text, numbersOf(shape, types))?.fields ?? [];
  const [op, name] = OPS[said.toLowerCase()] ?? ['avg', 'average'];
  if (!field) return null;
  const as = `${name}_${field.path}`.slice(0, NAME_MAX_CHARACTERS);
  return grouped(named.rest, types, { as, op, field: nameOfPath(field.path) }, shape);
}

const numbersOf = (shape: Outline, types: string[]) => fieldsOfTypes(shape, types).filter(hasNumbers);

/** The types that own the field: those that the rest names; [] when none is named and several have such a field. */
function ownersOf(text: string, { rest }: { rest: string }, shape: Outline): string[] {
  const holders = shape.types
    .map(({ type }) => type)
    .filter((type) => fieldAtStart(text, numbersOf(shape, [type])) !== undefined);
  const named = [withoutGroups(rest), rest]
    .map((part) => typesNamed(part, shape).filter((type) => holders.includes(type)))
    .find((types) => types.length > 0);
  return named ?? (holders.length === 1 ? holders : []);
}

function withoutGroups(text: string): string {
  return text.replace(new RegExp(`${GROUP.source}[\\p{L}\\p{N}]+`, 'giu'), ' ');
}

/** Takes the grouping out of the text; null when it groups by something that is not a field. */
function grouped(text: string, types: string[], measure: Measure, shape: Outline): MeasureWords | null {
  if (types.length === 0) return null;
  const match = GROUP.exec(text);
  if (!match) return { rest: text, types, group_by: [], measure };
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  // "per person" groups every record of the type; "by company industry" names the type before its field.
  const own = typeMentions(after, shape).find(
    (mention) => mention.start === 0 && types.some((type) => mention.types.includes(type)),
  );
  const named = groupsAtStart(after, fieldsOfTypes(shape, types));
  const behind =
    own && named.fields.length === 0
      ? groupsAtStart(after.slice(own.end), fieldsOfTypes(shape, types))
      : named;
  if (behind.fields.length === 0 && !own) return null;
  const taken = behind.fields.some(({ path }) => nameOfPath(path) === measure.as);
  const as = taken ? `${measure.as}_of_records` : measure.as;
  return { rest: `${before} ${behind.rest}`, types, group_by: behind.fields, measure: { ...measure, as } };
}

/** The fields that a text begins with, joined by "and" or commas, and the remaining text. */
function groupsAtStart(text: string, fields: OutlineField[]): { fields: OutlineField[]; rest: string } {
  const groups: OutlineField[] = [];
  let rest = text;
  let next: string | undefined = text;
  while (next !== undefined && groups.length < GROUPS_MAX) {
    const named = fieldAtStart(next, fields);
    const [field] = named?.fields ?? [];
    if (!named || !field) break;
    if (!groups.some(({ path }) => path === field.path)) groups.push(field);
    rest = named.rest;
    const joint = /^\s*(?:,\s*(?:and\s+)?|and\s+(?:by\s+|per\s+)?)/i.exec(rest);
    next = joint ? rest.slice(joint[0].length) : undefined;
  }
  return { fields: groups, rest };
}
