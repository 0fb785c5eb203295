// `entity types`, `search`, `get`, `resolve`: the records of the workspace.
import type { Entity, EntityType } from '../../sdk/index.ts';
import { entityRef, wholeFrom } from '../argument-parsers.ts';
import { counted } from '../output/amounts.ts';
import { columnsText, rowsText } from '../output/columns.ts';
import { plainLine } from '../output/plain.ts';
import type { Screen } from '../output/terminal.ts';
import { answer, asking, commonFlags, listed, oneId, serviceOf, textFlag, valueFlag } from './command.ts';
import { command } from './define.ts';

export const search = command(
  {
    brief: 'records whose name contains all words, best first; without words, by name',
    positional: {
      kind: 'array',
      parameter: { parse: (word: string) => word, placeholder: 'WORD', brief: 'a word of the name' },
    },
    flags: {
      type: textFlag('TYPE', 'of this type only, as company'),
      limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'),
      ...commonFlags,
    },
  },
  asking(
    ({ entities }, options, { type, limit }, ...words) => {
      const asked = {
        ...(words.length > 0 && { query: words.join(' ') }),
        ...(type && { type }),
        ...(limit && { limit }),
      };
      return listed(entities.search(asked, options));
    },
    ({ data }, screen) =>
      rowsText(
        data.map(({ entity_id, entity_type, entity_name, external_uri }) => [
          entity_id,
          entity_type,
          entity_name,
          external_uri ?? '',
        ]),
        ['ID', 'TYPE', 'NAME', 'URI'],
        screen,
      ),
    ({ data }) => (data.length === 0 ? 'no records' : undefined),
  ),
);

export const resolve = command(
  {
    brief: 'resolve references to records',
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: entityRef,
        placeholder: 'REF',
        brief: 'id, scheme:path, or source=ID (source: vault, linkedin, crunchbase, custom)',
      },
    },
  },
  async (context, flags, ...refs) => {
    const results = await serviceOf(context, flags).entities.resolve(refs, { signal: context.interrupted });
    answer(context, flags, { results }, () =>
      columnsText(
        results.map((result) => {
          const ref = Object.values(result.ref).join(' ');
          return result.resolved
            ? [ref, result.entity_id, result.entity_type, result.entity_name]
            : [ref, '-', '-', result.error.message];
        }),
      ),
    );
    return results.every(({ resolved }) => resolved) ? 'ok' : 'not_found';
  },
);

export const types = command(
  { brief: 'the types of records, with their fields, as conditions name them' },
  asking(
    ({ entities }, options) => listed(entities.types(options)),
    ({ data }, screen) => data.map((one) => typeText(one, screen)).join('\n'),
    ({ data }) => (data.length === 0 ? 'no records' : undefined),
  ),
);

function typeText({ type, count, fields }: EntityType, { columns }: Screen): string {
  const rows = fields.map(({ field, kinds, count: having, min, max, samples }) => [
    field,
    kinds.join(', '),
    String(having),
    min === undefined ? '' : min === max ? String(min) : `${min} to ${max}`,
    samples.map(String).join(', '),
  ]);
  const indented = columnsText(rows, { columns: columns && columns - 2 }).replace(/^(?=.)/gm, '  ');
  return `${plainLine(type)}, ${counted(count, 'record')}\n${indented}`;
}

export const get = command(
  { brief: 'a record with its fields and relationships', positional: oneId('ENTITY', 'id of a record') },
  asking(({ entities }, options, _, id) => entities.get(id, options), entityText),
);

function entityText({
  id,
  type,
  name,
  external_uri,
  external_id,
  source,
  fields,
  relationships,
}: Entity): string {
  const facts = Object.entries({ id, type, name, external_uri, external_id, source, ...leavesOf(fields) });
  const rows = facts.flatMap(([key, value]) => (value === undefined ? [] : [[key, shown(value)]]));
  const links = relationships.map((one) => [
    one.type,
    one.direction === 'out' ? 'to' : 'from',
    one.name,
    one.entity_type,
    one.entity_id,
  ]);
  return [columnsText(rows), columnsText(links)].filter((block) => block !== '').join('\n');
}

/** The fields by their paths: nested objects by their members. */
function leavesOf(fields: object, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      const path = `${prefix}${key}`;
      const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isNested ? Object.entries(leavesOf(value, `${path}.`)) : [[path, value]];
    }),
  );
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
