// `source list`: the live sources of the workspace.
import { buildCommand } from '@stricli/core';
import type { Context } from '../context.ts';
import { columnsText } from '../output/table.ts';
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
