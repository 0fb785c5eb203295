// `source list`: the live sources of the workspace.
import { rowsText } from '../output/columns.ts';
import { asking, listed } from './command.ts';
import { command } from './define.ts';

export const list = command(
  { brief: 'the live sources that a fetch can name, with the fields that they describe' },
  asking(
    ({ sources }, options) => listed(sources.list(options)),
    ({ data }, screen) =>
      rowsText(
        data.map(({ name, kind, description, fields }) => [
          name,
          kind,
          fields.map((field) => field.name).join(', '),
          description,
        ]),
        ['NAME', 'KIND', 'FIELDS', 'DESCRIPTION'],
        screen,
      ),
    ({ data }) => (data.length === 0 ? 'no sources' : undefined),
  ),
);
