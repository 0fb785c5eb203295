// `monitor …`: runs that are made again by the clock or on a change.
import { buildCommand } from '@stricli/core';
import type { CreateMonitor, Fire, ListedMonitor } from '../../sdk/index.ts';
import { wholeFrom } from '../argument-parsers.ts';
import { timeText } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import type { Context } from '../surroundings.ts';
import {
  answer,
  asking,
  type CommonFlags,
  commonFlags,
  guarded,
  oneId,
  say,
  serviceOf,
  text,
  valueFlag,
} from './command.ts';
import { readJson } from './json-input.ts';

const monitorArgument = oneId('MONITOR', 'the id of a monitor');
const LISTED_MAX = 100;

interface CreateFlags extends CommonFlags {
  readonly file: string;
}

const create = buildCommand<CreateFlags, [], Context>({
  docs: { brief: 'create a monitor from a file with name, run and on' },
  parameters: {
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
  func: guarded(async (context, flags) => {
    // The service validates it.
    const body = (await readJson(context, flags.file, '--file')) as CreateMonitor;
    const monitor = await serviceOf(context, flags).monitors.create(body, { signal: context.interrupted });
    answer(context, flags, monitor, () => plainLines([monitor.id]));
    if (!flags.json) say(context, nextText(monitor));
    return 'ok';
  }),
});

/** When a monitor fires next. */
function nextText({ status, next_fire_at }: Pick<ListedMonitor, 'status' | 'next_fire_at'>): string {
  if (status === 'paused') return 'paused';
  return next_fire_at === null ? 'on a change' : `next ${timeText(next_fire_at)}`;
}

const list = buildCommand<CommonFlags, [], Context>({
  docs: { brief: 'the monitors of the workspace, newest first' },
  parameters: { flags: commonFlags },
  func: asking(
    ({ monitors }, options) => monitors.list({ limit: LISTED_MAX }, options),
    ({ data }) =>
      columnsText(
        data.map((one) => [one.id, nextText(one), one.last_fire ? fireText(one.last_fire) : '', one.name]),
      ),
    ({ data }) => (data.length === 0 ? 'no monitors' : undefined),
  ),
});

const get = buildCommand<CommonFlags, [string], Context>({
  docs: { brief: 'a monitor as JSON' },
  parameters: { positional: monitorArgument, flags: commonFlags },
  func: guarded(async (context, flags, id) => {
    const monitor = await serviceOf(context, flags).monitors.get(id, { signal: context.interrupted });
    answer(context, { ...flags, json: true }, monitor, () => '');
    return 'ok';
  }),
});

/** A command that sets the status of a monitor. */
const statusCommand = (status: 'active' | 'paused', brief: string) =>
  buildCommand<CommonFlags, [string], Context>({
    docs: { brief },
    parameters: { positional: monitorArgument, flags: commonFlags },
    func: asking(
      ({ monitors }, options, _, id) => monitors.update(id, { status }, options),
      (monitor) => plainLines([monitor.id]),
      nextText,
    ),
  });

const pause = statusCommand('paused', 'pause a monitor; it fires only on request');
const resume = statusCommand('active', 'let a paused monitor fire again');

const fire = buildCommand<CommonFlags, [string], Context>({
  docs: { brief: 'fire a monitor now' },
  parameters: { positional: monitorArgument, flags: commonFlags },
  func: asking(
    ({ monitors }, options, _, id) => monitors.fire(id, options),
    ({ id, run_id }) => plainLines([run_id ?? id]),
    fireText,
  ),
});

interface FiresFlags extends CommonFlags {
  readonly limit?: number;
}

const fires = buildCommand<FiresFlags, [string], Context>({
  docs: { brief: 'what became of due times, changes and requests, newest first' },
  parameters: {
    positional: monitorArgument,
    flags: { limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'), ...commonFlags },
  },
  func: asking(
    ({ monitors }, options, { limit }, id) =>
      monitors.fires(id, limit === undefined ? {} : { limit }, options),
    ({ data }) =>
      columnsText(
        data.map((one) => [
          timeText(one.due_at),
          one.cause,
          fireText(one),
          changesText(one),
          one.run_id ?? '',
        ]),
      ),
    ({ data }) => (data.length === 0 ? 'no fires' : undefined),
  ),
});

/** `run`, `skipped: overlap`, `skipped: missed 4 times`. */
function fireText({ outcome, reason, count }: Fire): string {
  if (reason === undefined) return outcome;
  return `${outcome}: ${reason}${count === undefined ? '' : ` ${count} times`}`;
}

function changesText({ changes }: Fire): string {
  return changes ? `+${changes.added} -${changes.removed} ~${changes.changed}` : '';
}

const remove = buildCommand<CommonFlags, [string], Context>({
  docs: { brief: 'delete a monitor; its runs stay' },
  parameters: { positional: monitorArgument, flags: commonFlags },
  func: guarded(async (context, flags, id) => {
    await serviceOf(context, flags).monitors.delete(id, { signal: context.interrupted });
    if (!flags.json) say(context, 'deleted');
    return 'ok';
  }),
});

/** The commands by name; one of them is a reserved word. */
export const commands = { create, list, get, pause, resume, fire, fires, delete: remove };
