// `monitor …`: runs that are made again by the clock or on a change.
import type { CreateMonitor, Fire, ListedMonitor } from '../../sdk/index.ts';
import { wholeFrom } from '../argument-parsers.ts';
import { whenText } from '../output/amounts.ts';
import { rowsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import { type Screen, screenOf } from '../output/terminal.ts';
import { answer, asking, commonFlags, oneId, say, serviceOf, text, valueFlag } from './command.ts';
import { command } from './define.ts';
import { readJson } from './json-input.ts';

const monitorArgument = oneId('MONITOR', 'the id of a monitor');
const LISTED_MAX = 100;

const create = command(
  {
    brief: 'create a monitor from a file with name, run and on',
    flags: {
      file: {
        kind: 'parsed',
        parse: text,
        placeholder: 'FILE',
        brief: 'the monitor as JSON; - is standard input',
      },
      ...commonFlags,
    },
    aliases: { f: 'file' },
  },
  async (context, flags) => {
    // The service validates it.
    const body = (await readJson(context, flags.file, '--file')) as CreateMonitor;
    const monitor = await serviceOf(context, flags).monitors.create(body, { signal: context.interrupted });
    answer(context, flags, monitor, () => plainLines([monitor.id]));
    if (!flags.json) say(context, nextText(monitor, screenOf(context)));
    return 'ok';
  },
);

/** When a monitor fires next. */
function nextText(
  { status, next_fire_at }: Pick<ListedMonitor, 'status' | 'next_fire_at'>,
  screen: Screen,
): string {
  if (status === 'paused') return 'paused';
  return next_fire_at === null ? 'on a change' : `next ${whenText(next_fire_at, screen)}`;
}

const list = command(
  { brief: 'the monitors of the workspace, newest first' },
  asking(
    ({ monitors }, options) => monitors.list({ limit: LISTED_MAX }, options),
    ({ data }, screen) =>
      rowsText(
        data.map((one) => [
          one.id,
          nextText(one, screen),
          one.last_fire ? fireText(one.last_fire) : '',
          one.name,
        ]),
        ['ID', 'FIRES', 'LAST', 'NAME'],
        screen,
      ),
    ({ data }) => (data.length === 0 ? 'no monitors' : undefined),
  ),
);

const get = command(
  { brief: 'a monitor as JSON', positional: monitorArgument },
  async (context, flags, id) => {
    const monitor = await serviceOf(context, flags).monitors.get(id, { signal: context.interrupted });
    answer(context, { ...flags, json: true }, monitor, () => '');
    return 'ok';
  },
);

/** A command that sets the status of a monitor. */
const statusCommand = (status: 'active' | 'paused', brief: string) =>
  command(
    { brief, positional: monitorArgument },
    asking(
      ({ monitors }, options, _, id) => monitors.update(id, { status }, options),
      (monitor) => plainLines([monitor.id]),
      nextText,
    ),
  );

const pause = statusCommand('paused', 'pause a monitor; it fires only on request');
const resume = statusCommand('active', 'let a paused monitor fire again');

const fire = command(
  { brief: 'fire a monitor now', positional: monitorArgument },
  asking(
    ({ monitors }, options, _, id) => monitors.fire(id, options),
    ({ id, run_id }) => plainLines([run_id ?? id]),
    fireText,
  ),
);

const fires = command(
  {
    brief: 'what became of due times, changes and requests, newest first',
    positional: monitorArgument,
    flags: { limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'), ...commonFlags },
  },
  asking(
    ({ monitors }, options, { limit }, id) =>
      monitors.fires(id, limit === undefined ? {} : { limit }, options),
    ({ data }, screen) =>
      rowsText(
        data.map((one) => [
          whenText(one.due_at, screen),
          one.cause,
          fireText(one),
          changesText(one),
          one.run_id ?? '',
        ]),
        ['DUE', 'CAUSE', 'OUTCOME', 'CHANGES', 'RUN'],
        screen,
      ),
    ({ data }) => (data.length === 0 ? 'no fires' : undefined),
  ),
);

/** `run`, `skipped: overlap`, `skipped: missed 4 times`. */
function fireText({ outcome, reason, count }: Fire): string {
  if (reason === undefined) return outcome;
  return `${outcome}: ${reason}${count === undefined ? '' : ` ${count} times`}`;
}

function changesText({ changes }: Fire): string {
  return changes ? `+${changes.added} -${changes.removed} ~${changes.changed}` : '';
}

const remove = command(
  { brief: 'delete a monitor; its runs stay', positional: monitorArgument },
  async (context, flags, id) => {
    await serviceOf(context, flags).monitors.delete(id, { signal: context.interrupted });
    if (!flags.json) say(context, 'deleted');
    return 'ok';
  },
);

/** The commands by name; one of them is a reserved word. */
export const commands = { create, list, get, pause, resume, fire, fires, delete: remove };
