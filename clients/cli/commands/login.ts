// `login`, `logout`, `whoami`: which key is used.
import type { Me } from '../../sdk/index.ts';
import { baseUrlOf, DEFAULT_PROFILE } from '../connection/chosen-service.ts';
import { profilesFile, readProfiles, removeProfile, saveProfile } from '../connection/profiles.ts';
import { readSecret } from '../connection/secret.ts';
import { counted, whenText } from '../output/amounts.ts';
import { columnsText } from '../output/columns.ts';
import type { Screen } from '../output/terminal.ts';
import { misuse, Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { answer, asking, clientOf, jsonFlag, say, textFlag } from './command.ts';
import { command } from './define.ts';

const profileFlags = {
  ...jsonFlag,
  profile: textFlag('NAME', `name of the profile (RUNS_PROFILE, else ${DEFAULT_PROFILE})`),
};

interface ProfileFlags {
  readonly json?: boolean;
  readonly profile?: string;
}

const nameOf = ({ env }: Context, { profile }: ProfileFlags) =>
  profile ?? env.RUNS_PROFILE ?? DEFAULT_PROFILE;

export const login = command(
  {
    brief: 'save a key, read from standard input or a hidden prompt, in a profile',
    flags: {
      ...profileFlags,
      baseUrl: textFlag(
        'URL',
        'address of the service, ends in /api/v1 or, on a custom domain, /v1 (RUNS_BASE_URL)',
      ),
    },
  },
  async (context, flags) => {
    const { env } = context;
    const name = nameOf(context, flags);
    const url = flags.baseUrl ?? env.RUNS_BASE_URL ?? readProfiles(env).get(name)?.base_url;
    if (url === undefined) throw misuse('which service? give --base-url URL, which ends in /v1');
    const base_url = baseUrlOf(url, '--base-url');
    const api_key = await readSecret('API key: ', context);
    if (api_key === '') throw new Problem('key', 'no key was given; pipe it in, or type it at the prompt');
    const me = await clientOf({ base_url, api_key }, context).me();
    saveProfile(env, name, { base_url, api_key });
    const saved = { profile: name, base_url, workspace: me.workspace.name, file: profilesFile(env) };
    answer(context, flags, saved, () => '');
    if (!flags.json)
      say(context, `logged in to ${saved.workspace} as profile ${name}, saved in ${saved.file}`);
    return 'ok';
  },
);

export const logout = command(
  {
    brief: 'delete a profile and its key',
    flags: profileFlags,
  },
  async (context, flags) => {
    const name = nameOf(context, flags);
    const removed = removeProfile(context.env, name);
    if (!removed) throw new Problem('not_found', `there is no profile ${name}`);
    answer(context, flags, { profile: name, removed }, () => '');
    if (!flags.json)
      say(context, `profile ${name} is deleted; the key itself stays valid until an admin revokes it`);
    return 'ok';
  },
);

export const whoami = command(
  { brief: 'show the key, its workspace and their limits' },
  asking(
    (service, options) => service.me(options),
    (me, screen) => columnsText(factsOf(me, screen)),
  ),
);

/** Which model answers, whether it is real, and until when none does. */
function modelText({ name, simulated, available, retry_at }: Me['model'], screen: Screen): string {
  const rehearsal = simulated ? ' (a rehearsal: no such cost is real)' : '';
  const away = retry_at === undefined ? '' : `, tried again ${whenText(retry_at, screen)}`;
  return `${name}${rehearsal}${available ? '' : ` is away${away}`}`;
}

function factsOf({ workspace, ...key }: Me, screen: Screen): [string, string][] {
  const limit = key.daily_cost_limit_usd === null ? '' : ` of ${key.daily_cost_limit_usd}`;
  const { credits_left, credits_held } = workspace;
  return [
    ['workspace', `${workspace.name} (${workspace.id})`],
    ['tier', workspace.tier],
    ['features', workspace.features.join(', ') || 'none'],
    ['key', `${key.name} (${key.key_id})`],
    ['scopes', key.scopes.join(', ')],
    ['expires', key.expires_at === null ? 'never' : whenText(key.expires_at, screen)],
    ['model', modelText(key.model, screen)],
    ['in flight', `${workspace.runs_in_flight} of ${counted(workspace.max_concurrent_runs, 'run')}`],
    [
      'cost today',
      `${workspace.cost_today_usd} of ${workspace.daily_cost_cap_usd} USD; this key ${key.cost_today_usd}${limit} USD`,
    ],
    ...(credits_left === null
      ? []
      : [['credits', `${credits_left} left, ${credits_held ?? 0} reserved`] as [string, string]]),
  ];
}
