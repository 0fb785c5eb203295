// `key list`, `create`, `rotate`, `revoke`, and `audit`: what a key with keys:manage may do.
import type { Key, NewKey } from '../../sdk/index.ts';
import { duration, usd, wholeFrom } from '../argument-parsers.ts';
import { timeText } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import { asking, commonFlags, listed, oneId, say, serviceOf, text, valueFlag } from './command.ts';
import { command } from './define.ts';

const keyArgument = oneId('KEY', 'id of a key');

export const list = command(
  { brief: 'the keys of the workspace, newest first' },
  asking(
    ({ keys }, options) => listed(keys.list(options)),
    ({ data }) => columnsText(data.map(rowOf), ['key', 'name', 'state', 'last used', 'scopes']),
  ),
);

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

/** The text of a new key alone on stdout, so that a script can take it. */
const textOf = ({ api_key }: NewKey) => plainLines([api_key]);
const createdText = ({ key_id }: NewKey) => `${key_id} created; its text is not shown again`;

export const create = command(
  {
    brief: 'a new key; its text is printed this once',
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
  asking(
    ({ keys }, options, { name, scope, expiresIn, dailyCostLimitUsd }) =>
      keys.create(
        {
          name,
          // The service refuses unknown scopes with those that exist.
          scopes: [...scope] as Key['scopes'],
          ...(expiresIn !== undefined && { expires_at: Date.now() + expiresIn }),
          ...(dailyCostLimitUsd !== undefined && { daily_cost_limit_usd: dailyCostLimitUsd }),
        },
        options,
      ),
    textOf,
    createdText,
  ),
);

export const rotate = command(
  {
    brief: 'replace a key; the old one works until the grace is over',
    positional: keyArgument,
    flags: {
      graceSeconds: valueFlag(wholeFrom(0), 'N', 'how long the old key still works (86400)'),
      ...commonFlags,
    },
  },
  asking(
    ({ keys }, options, { graceSeconds: grace_seconds }, id) =>
      keys.rotate(id, grace_seconds === undefined ? {} : { grace_seconds }, options),
    textOf,
    createdText,
  ),
);

export const revoke = command(
  { brief: 'revoke a key at once', positional: keyArgument },
  async (context, flags, id) => {
    await serviceOf(context, flags).keys.revoke(id, { signal: context.interrupted });
    if (!flags.json) say(context, `${id} revoked`);
    return 'ok';
  },
);

export const audit = command(
  {
    brief: 'who did what in the workspace, newest first',
    flags: { limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'), ...commonFlags },
  },
  asking(
    ({ audit }, options, { limit }) => audit.list(limit === undefined ? {} : { limit }, options),
    ({ data }) =>
      columnsText(data.map(({ at, action, target, actor }) => [timeText(at), action, target, actor])),
  ),
);
