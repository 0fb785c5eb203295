// `key list`, `create`, `rotate`, `revoke`, and `audit`: what a key with keys:manage may do.
import type { AuditEntry, Key, NewKey } from '../../sdk/index.ts';
import { duration, usd, wholeFrom } from '../argument-parsers.ts';
import { whenText } from '../output/amounts.ts';
import { columnsText, rowsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import { type Screen, screenOf } from '../output/terminal.ts';
import { answer, asking, commonFlags, listed, oneId, say, serviceOf, text, valueFlag } from './command.ts';
import { command } from './define.ts';

const keyArgument = oneId('KEY', 'id of a key');

export const list = command(
  { brief: 'the keys of the workspace, newest first' },
  asking(
    ({ keys }, options) => listed(keys.list(options)),
    ({ data }, screen) =>
      columnsText(
        data.map((key) => rowOf(key, screen)),
        { heads: ['KEY', 'NAME', 'STATE', 'LAST USED', 'SCOPES'], columns: screen.columns },
      ),
  ),
);

const rowOf = (key: Key, screen: Screen) => [
  key.key_id,
  key.name,
  stateOf(key, screen),
  key.last_used_day ?? 'never',
  key.scopes.join(' '),
];

function stateOf({ revoked_at, expires_at }: Key, screen: Screen): string {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  const isOver = expires_at <= screen.now;
  // `until in 3 d` is no English.
  const word = isOver ? 'expired' : screen.columns === undefined ? 'until' : 'expires';
  return `${word} ${whenText(expires_at, screen)}`;
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
  async (context, flags) => {
    const { audit, keys } = serviceOf(context, flags);
    const options = { signal: context.interrupted };
    const { limit, json } = flags;
    const page = await audit.list(limit === undefined ? {} : { limit }, options);
    const screen = screenOf(context);
    // People know a key by its name; a script takes the ids.
    const isRead = !json && screen.columns !== undefined;
    const named = isRead ? await keys.list(options) : [];
    answer(context, flags, page, () => auditText(page.data, named, screen));
    return 'ok';
  },
);

function auditText(entries: readonly AuditEntry[], keys: readonly Key[], screen: Screen): string {
  const names = new Map(keys.map(({ key_id, name }) => [key_id, name]));
  return rowsText(
    entries.map(({ at, action, target, actor }) => [
      whenText(at, screen),
      action,
      names.get(target) ?? target,
      names.get(actor) ?? actor,
    ]),
    ['AT', 'ACTION', 'TARGET', 'ACTOR'],
    screen,
  );
}
