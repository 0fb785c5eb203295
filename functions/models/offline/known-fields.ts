// The fields that a query can name: those of the types it asks for, from the workspace's outline.
import type { Outline, OutlineField } from '#contract/record-queries.ts';
import { wordsOf } from '#platform/words.ts';
import { keyWords } from './items.ts';
import { keyOf, mentionAt, type Shape } from './shape.ts';
import { tokensOf } from './tokens.ts';
import type { MarkedText } from './value-marks.ts';

/** Replaces the requested type where a query names it. */
export const SUBJECT = 'records';

/** A numeric year as opposed to epoch ms. */
const YEARS = { low: 1000, high: 2200 } as const;
const EPOCH_MS_MIN = 1e11;

/** The fields of the types, each path once, with the kinds and range of all of them. */
export function fieldsOfTypes({ types }: Outline, named: string[]): OutlineField[] {
  const fields = types.filter(({ type }) => named.includes(type)).flatMap((entry) => entry.fields);
  return [...Map.groupBy(fields, ({ path }) => path)].map(([path, same]) => {
    const low = lowest(same.flatMap((field) => field.low ?? []));
    const high = lowest(same.flatMap((field) => (field.high === undefined ? [] : [-field.high])));
    return {
      path,
      kinds: [...new Set(same.flatMap(({ kinds }) => kinds))],
      ...(low !== undefined && { low }),
      ...(high !== undefined && { high: -high }),
      samples: [...new Set(same.flatMap(({ samples }) => samples))],
    };
  });
}

function lowest(numbers: number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

/** The shape for parsing conditions: fields by kind, with marks as values: "Oslo and Rome" means either. */
export function shapeOfFields(fields: OutlineField[], marks: MarkedText['marks']): Shape {
  const keys = fields.flatMap(({ path, kinds }) => {
    const sort = kinds.some((kind) => kind === 'text' || kind === 'list')
      ? ('text' as const)
      : kinds.includes('number')
        ? ('number' as const)
        : ('flag' as const);
    return kinds.every((kind) => kind === 'object') ? [] : [keyOf(path, sort)];
  });
  const items = [...marks].flatMap(([mark, values]) =>
    values.map(({ path }) => ({ id: mark, type: '', name: '', fields: { [path]: mark } })),
  );
  return { keys, types: new Set(wordsOf(SUBJECT)), items };
}

const shapes = new WeakMap<OutlineField[], Shape>();

/** The shape of the fields alone, computed once: every word of a query may name a field. */
function shapeOnce(fields: OutlineField[]): Shape {
  const shape = shapes.get(fields) ?? shapeOfFields(fields, new Map());
  shapes.set(fields, shape);
  return shape;
}

/** A text that begins with a name does so within this many characters. */
const NAME_MAX_CHARACTERS = 100;

/** The fields that the text begins by naming, best first, and the remaining text; undefined for none. */
export function fieldAtStart(
  text: string,
  fields: OutlineField[],
): { fields: OutlineField[]; rest: string } | undefined {
  const start = text.replace(/^\s*(?:(?:the|their|its)\s+)?(?:(?:number|amount) of\s+)?/i, '');
  const head = start.slice(0, NAME_MAX_CHARACTERS);
  const tokens = tokensOf(head);
  const mention = mentionAt(shapeOnce(fields), tokens, 0);
  if (!mention) return undefined;
  const words = [...head.matchAll(/[\p{L}\p{N}'’]+/gu)];
  const last = words[mention.length - 1];
  const rest = last ? start.slice(last.index + last[0].length) : '';
  return { fields: bestFields(mention.keys, fields), rest };
}

/** The best matches among the named fields; several only when they share a name. */
export function bestFields(
  keys: string[],
  fields: OutlineField[],
  fits: (field: OutlineField) => boolean = () => true,
): OutlineField[] {
  const named = fields.filter((field) => keys.includes(field.path) && fits(field));
  const [best] = named.toSorted((a, b) => keyWords(a.path).length - keyWords(b.path).length);
  return named.filter(({ path }) => best && keyWords(path).join(' ') === keyWords(best.path).join(' '));
}

export const hasNumbers = ({ kinds }: OutlineField) => kinds.includes('number');

export const isMoment = ({ low }: OutlineField) => low !== undefined && low > EPOCH_MS_MIN;

/** Whether all known texts of a field are ISO days, months or years, which sort as text. */
export function hasIsoDates({ kinds, samples }: OutlineField): boolean {
  return (
    kinds.length === 1 &&
    kinds[0] === 'text' &&
    samples.length > 0 &&
    samples.every((sample) => /^\d{4}(-\d{2}(-\d{2}([T ].*)?)?)?$/.test(sample))
  );
}

/** Whether a field holds a date or time. */
export function isDated(field: OutlineField): boolean {
  const { low = 0, high = 0 } = field;
  const years = hasNumbers(field) && low >= YEARS.low && high <= YEARS.high;
  return years || isMoment(field) || hasIsoDates(field);
}
