// `entity search`, `entity resolve`: the records of the workspace.
import { buildCommand } from '@stricli/core';
import type { EntityRef } from '../../sdk/index.ts';
import { entityRef, wholeFrom } from '../argument-parsers.ts';
import { columnsText } from '../output/columns.ts';
import type { Context } from '../surroundings.ts';
import {
  answer,
  asking,
  type CommonFlags,
  commonFlags,
  guarded,
  listed,
  serviceOf,
  textFlag,
  valueFlag,
} from './command.ts';

interface SearchFlags extends CommonFlags {
  readonly type?: string;
  readonly limit?: number;
}

export const search = buildCommand<SearchFlags, string[], Context>({
  docs: { brief: 'records whose name contains all words, best first; without words, by name' },
  parameters: {
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
  func: asking(
    ({ entities }, options, { type, limit }, ...words) => {
      const asked = {
        ...(words.length > 0 && { query: words.join(' ') }),
        ...(type && { type }),
        ...(limit && { limit }),
      };
      return listed(entities.search(asked, options));
    },
    ({ data }) =>
      columnsText(
        data.map(({ entity_id, entity_type, entity_name, external_uri }) => [
          entity_id,
          entity_type,
          entity_name,
          external_uri ?? '',
        ]),
      ),
    ({ data }) => (data.length === 0 ? 'no records' : undefined),
  ),
});

export const resolve = buildCommand<CommonFlags, EntityRef[], Context>({
  docs: { brief: 'resolve references to records' },
  parameters: {
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: {
        parse: entityRef,
        placeholder: 'REF',
        brief: 'id, scheme:path, or source=ID (source: vault, linkedin, crunchbase, custom)',
      },
    },
    flags: commonFlags,
  },
  func: guarded(async (context, flags, ...refs) => {
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
  }),
});
