// Which service and key a command uses: --local, --profile, the environment, the default profile.

import { misuse, Problem } from '../problem.ts';
import type { Surroundings } from '../surroundings.ts';
import { localService } from './local-service.ts';
import { type Profile, profilesFile, readProfiles } from './profiles.ts';

/** The flags of every command that select the service. */
export interface Chosen {
  readonly local?: string | undefined;
  readonly profile?: string | undefined;
}

export const DEFAULT_PROFILE = 'default';
export const DEFAULT_FOLDER = '.local';

/**
 * Address and key, both from one source: a key is never sent to an address it was not given for. Throws Problem without
 * a key, with half of a pair, or with an invalid address.
 */
export function connectionOf(
  { local, profile }: Chosen,
  { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>,
): Profile {
  if (local !== undefined && profile !== undefined) throw misuse('use --local or --profile, not both');
  if (local !== undefined) return localService(local || DEFAULT_FOLDER, cwd);
  if (profile === undefined && (env.RUNS_API_KEY || env.RUNS_BASE_URL)) return fromEnvironment(env);
  const name = profile ?? env.RUNS_PROFILE ?? DEFAULT_PROFILE;
  const profiles = readProfiles(env);
  const known = profiles.get(name);
  if (known) return { ...known, base_url: baseUrlOf(known.base_url, profilesFile(env)) };
  if (profiles.size > 0)
    throw new Problem('key', `no profile ${name}; there is ${[...profiles.keys()].join(', ')}`);
  throw new Problem(
    'key',
    'no key: run `runs login`, set RUNS_API_KEY and RUNS_BASE_URL, or use --local with a service on this machine',
  );
}

function fromEnvironment({ RUNS_API_KEY: api_key, RUNS_BASE_URL: url }: Surroundings['env']): Profile {
  if (!api_key) throw new Problem('key', 'RUNS_BASE_URL is set and RUNS_API_KEY is not');
  if (!url) throw misuse('RUNS_API_KEY is set and RUNS_BASE_URL is not');
  return { api_key, base_url: baseUrlOf(url, 'RUNS_BASE_URL') };
}

/**
 * The base address without a trailing slash. Throws Problem unless it is an address that ends in /v1, as those
 * of a custom domain and, with /api/v1, all others do.
 */
export function baseUrlOf(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const address = text.replace(/\/+$/, '');
  const fits = url && /^https?:$/.test(url.protocol) && url.username === '' && address.endsWith('/v1');
  if (!fits) throw misuse(`${what}: not an http(s) address that ends in /v1, such as https://HOST/api/v1`);
  return address;
}
