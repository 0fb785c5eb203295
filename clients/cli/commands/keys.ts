// `key list`, `create`, `rotate`, `revoke`, and `audit`: what a key with keys:manage may do.
import { buildCommand } from '@stricli/core';
import type { Key, NewKey } from '../../sdk/index.ts';
import { duration, usd, wholeFrom } from '../arguments.ts';
import type { Context } from '../context.ts';
import { timeText } from '../output/figures.ts';
import { plainLines } from '../output/plain.ts';
import { columnsText } from '../output/table.ts';
import {
  answer,
  type CommonFlags,
  commonFlags,
  guarded,
  oneArgument,
  say,
  serviceOf,
  text,
  valueFlag,
} from './command.ts';

const keyArgument = oneArgument('KEY', 'id of a key');

export const list = buildCommand<CommonFlags, [], Context>({
  docs: { brief: 'the keys of the workspace, newest first' },
  parameters: { flags: commonFlags },
  func: guarded(async (context, flags) => {
    const data = await serviceOf(context, flags).keys.list({ signal: context.interrupted });
    answer(context, flags, { object: 'list', data }, () =>
      columnsText(data.map(rowOf), ['key', 'name', 'state', 'last used', 'scopes']),
    );
    return 'ok';
  }),
});

const rowOf = (key: Key) => [
  key.key_id,
  key.name,
  stateOf(key),
  key.last_used_day ?? 'never',
  key.scopes.join(' '),
];

function stateOf({ revoked_at, expires_at }: Key): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return `${expires_at <= Date.now() ? 'expired' : 'until'} ${timeText(expires_at)}`;
}

interface CreateFlags extends CommonFlags {
  readonly name: string;
  readonly scope: readonly string[];
  readonly expiresIn?: number;
  readonly dailyCostLimitUsd?: number;
}

export const create = buildCommand<CreateFlags, [], Context>({
  docs: { brief: 'a new key; its text is printed this once' },
  parameters: {
    flags: {
      name: { kind: 'parsed', parse: text, placeholder: 'NAME', brief: 'what it is for' },
      scope: {
        kind: 'parsed',
        parse: text,
        variadic: true,
        placeholder: 'SCOPE',
        brief: 'a scope that your key has; may be repeated',
      },
      expiresIn: valueFlag(duration, 'TIME', 'how long it works, as 90d; without it the key does not expire'),
      dailyCostLimitUsd: valueFlag(usd, 'USD', 'what its runs may cost a day'),
      ...commonFlags,
    },
  },
  func: guarded(async (context, flags) => {
    const { name, scope, expiresIn, dailyCostLimitUsd } = flags;
    const key = await serviceOf(context, flags).keys.create(
      {
        name,
        // The service refuses unknown scopes with those that exist.
        scopes: [...scope] as Key['scopes'],
        ...(expiresIn !== undefined && { expires_at: Date.now() + expiresIn }),
        ...(dailyCostLimitUsd !== undefined && { daily_cost_limit_usd: dailyCostLimitUsd }),
      },
      { signal: context.interrupted },
    );
    printNew(context, flags, key);
    return 'ok';
  }),
});

interface RotateFlags extends CommonFlags {
  readonly graceSeconds?: number;
}

export const rotate = buildCommand<RotateFlags, [string], Context>({
  docs: { brief: 'replace a key; the old one works until the grace is over' },
  parameters: {
    positional: keyArgument,
    flags: {
      graceSeconds: valueFlag(wholeFrom(0), 'N', 'how long the old key still works (86400)'),
      ...commonFlags,
    },
  },
  func: guarded(async (context, flags, id) => {
    const { graceSeconds: grace_seconds } = flags;
    const body = grace_seconds === undefined ? {} : { grace_seconds };
    printNew(
      context,
      flags,
      await serviceOf(context, flags).keys.rotate(id, body, { signal: context.interrupted }),
    );
    return 'ok';
  }),
});

/** The text of the key alone on stdout, so that a script can take it. */
function printNew(context: Context, flags: CommonFlags, key: NewKey): void {
  answer(context, flags, key, () => plainLines([key.api_key]));
  if (!flags.json) say(context, `${key.key_id} created; its text is not shown again`);
}

export const revoke = buildCommand<CommonFlags, [string], Context>({
  docs: { brief: 'revoke a key at once' },
  parameters: { positional: keyArgument, flags: commonFlags },
  func: guarded(async (context, flags, id) => {
    await serviceOf(context, flags).keys.revoke(id, { signal: context.interrupted });
    if (!flags.json) say(context, `${id} revoked`);
    return 'ok';
  }),
});

interface AuditFlags extends CommonFlags {
  readonly limit?: number;
}

export const audit = buildCommand<AuditFlags, [], Context>({
  docs: { brief: 'who did what in the workspace, newest first' },
  parameters: {
    flags: { limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'), ...commonFlags },
  },
  func: guarded(async (context, flags) => {
    const { limit } = flags;
    const query = limit === undefined ? {} : { limit };
    const page = await serviceOf(context, flags).audit.list(query, { signal: context.interrupted });
    answer(context, flags, page, () =>
      columnsText(page.data.map(({ at, action, target, actor }) => [timeText(at), action, target, actor])),
    );
    return 'ok';
  }),
});
