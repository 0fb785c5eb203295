// `source list`: the live sources of the workspace.
import { buildCommand } from '@stricli/core';
import { columnsText } from '../output/columns.ts';
import type { Context } from '../surroundings.ts';
import { asking, type CommonFlags, commonFlags, listed } from './command.ts';

export const list = buildCommand<CommonFlags, [], Context>({
  docs: { brief: 'the live sources that a fetch can name, with the fields that they describe' },
  parameters: { flags: commonFlags },
  func: asking(
    ({ sources }, options) => listed(sources.list(options)),
    ({ data }) =>
      columnsText(
        data.map(({ name, kind, description, fields }) => [
          name,
          kind,
          fields.map((field) => field.name).join(', '),
          description,
        ]),
      ),
    ({ data }) => (data.length === 0 ? 'no sources' : undefined),
  ),
});
