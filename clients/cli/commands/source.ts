// `source list`: the live sources of the workspace.
import { buildCommand } from '@stricli/core';
import type { Context } from '../context.ts';
import { columnsText } from '../output/table.ts';
import { answer, type CommonFlags, commonFlags, guarded, say, serviceOf } from './command.ts';

export const list = buildCommand<CommonFlags, [], Context>({
  docs: { brief: 'the live sources that a fetch can name, with the fields that they describe' },
  parameters: { flags: commonFlags },
  func: guarded(async (context, flags) => {
    const data = await serviceOf(context, flags).sources.list({ signal: context.interrupted });
    answer(context, flags, { object: 'list', data }, () =>
      columnsText(
        data.map(({ name, kind, description, fields }) => [
          name,
          kind,
          fields.map((field) => field.name).join(', '),
          description,
        ]),
      ),
    );
    if (data.length === 0 && !flags.json) say(context, 'no sources');
    return 'ok';
  }),
});
