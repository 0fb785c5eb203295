// The types and fields of a workspace, as tables and forms use them.
import type { EntityType, Row } from '../../sdk/index.ts';
import { columnsOf } from './cells.ts';
import { dateText } from './figures.ts';

/** A row for each field of a type: its kinds, how many records have it, its range, some values. */
export function fieldRows({ count, fields }: EntityType): Row[] {
  return fields.map(({ field, kinds, count: filled, min, max, samples }) => ({
    field,
    kind: kinds.join(', '),
    filled: `${Math.round((filled / count) * 100)} %`,
    range: min === undefined || max === undefined ? null : rangeText(field, min, max),
    samples,
  }));
}

/** Each end in its own precision: "6.4 to 520". */
function rangeText(field: string, ...ends: (number | string)[]): string {
  return ends
    .map((end) => {
      if (typeof end === 'string') return dateText(end) ?? end;
      const [column] = columnsOf([field], [{ [field]: end }]);
      return column?.write(end);
    })
    .join(' to ');
}

/** The names of the fields of the type that a source names, singular or plural; of all types for any other source. */
export function fieldsOf(types: readonly EntityType[], source: unknown): string[] {
  const named = types.filter(({ type }) => typeof source === 'string' && isNameOf(source, type));
  const fields = (named.length > 0 ? named : types).flatMap((type) => type.fields);
  return [...new Set(fields.map(({ field }) => field))];
}

/** Plurals differ from the second last letter on at most: company, companies. */
function isNameOf(source: string, type: string): boolean {
  const [word, stem] = [source.trim().toLowerCase(), type.toLowerCase().slice(0, -1)];
  return stem !== '' && word.startsWith(stem) && word.length <= stem.length + 4;
}
