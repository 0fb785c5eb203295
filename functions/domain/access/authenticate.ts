// Authentication and authorization: the bearer key, its workspace, scopes and features.
import { fail } from '#contract/errors.ts';
import type { Feature, Scope } from '#contract/scopes.ts';
import { hmacSha256Hex, uuidOfHex } from '#platform/crypto.ts';
import { describe, log } from '#platform/log.ts';
import { serviceKey } from '#platform/service-keys.ts';
import { utcDay } from '#store/money/costs.ts';
import {
  type ApiKey,
  type Bearer,
  type Costs,
  findBearer,
  findBearerWithCosts,
  saveUse,
} from '#store/workspaces/api-keys.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';

export interface Caller {
  key: ApiKey;
  workspace: Workspace;
  /** Resolves when the day of the key's use is saved; it never rejects. */
  useSaved?: Promise<void> | undefined;
}

/** A caller whose request may start a run. */
export type CallerWithCosts = Caller & Costs;

const API_KEY = /^sk_([0-9a-f]{32})_[0-9A-Za-z]{1,100}$/;

/** The text of a new key. It includes the workspace id, so that one read finds both. */
export function apiKeyText(workspaceId: string, secret: string): string {
  return `sk_${workspaceId.replaceAll('-', '')}_${secret}`;
}

/** The lookup hash of a key. Only this service can compute it, so the table has neither keys nor signing secrets. */
export async function lookupHash(apiKey: string): Promise<string> {
  return hmacSha256Hex(await serviceKey('api-key'), apiKey);
}

const NO_BEARER =
  'The Authorization header has no `Bearer ` before the key: send `Authorization: Bearer <API_KEY>`.';

/** The bearer key of an Authorization header. Throws auth_missing. */
export function bearerKeyOf(header: string | undefined): string {
  const key = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (key === undefined) throw fail('auth_missing', header === undefined ? {} : { message: NO_BEARER });
  return key;
}

/** Refuses a key that was revoked or has expired, and a workspace that is not active (rules.md: keys 2, keys 4). */
export function checkStanding(
  key: ApiKey | undefined,
  workspace: Workspace | undefined,
): { key: ApiKey; workspace: Workspace } {
  if (!key || key.revoked_at !== undefined) throw fail('auth_invalid');
  if (key.expires_at !== undefined && key.expires_at <= Date.now())
    throw fail('auth_expired', { details: { expired_at: key.expires_at } });
  return { key, workspace: checkWorkspace(workspace) };
}

/** Refuses a workspace that is not active. Throws workspace_not_found, forbidden_workspace. */
export function checkWorkspace(workspace: Workspace | undefined): Workspace {
  if (!workspace || workspace.status === 'deleted') throw fail('workspace_not_found');
  if (workspace.status === 'suspended') throw fail('forbidden_workspace');
  return workspace;
}

/** Whether a bearer text has the form in which keys are given out. */
export const looksLikeKey = (bearer: string): boolean => bearer.startsWith('sk_');

/** The workspace that a key names; undefined if the text is not a key. */
function namedWorkspace(apiKey: string): string | undefined {
  const hex = API_KEY.exec(apiKey)?.[1];
  return hex === undefined ? undefined : uuidOfHex(hex);
}

async function identify<Found extends Bearer>(
  header: string | undefined,
  find: (lookupHash: string, workspaceId: string) => Promise<Found>,
): Promise<Found & Caller> {
  const apiKey = bearerKeyOf(header);
  const workspaceId = namedWorkspace(apiKey);
  if (workspaceId === undefined) throw fail('auth_invalid');
  const hash = await lookupHash(apiKey);
  const found = await find(hash, workspaceId);
  const caller = checkStanding(found.key, found.workspace);
  return { ...found, ...caller, useSaved: saveDayOfUse(caller.key, hash) };
}

/** The day that this process has saved, by key. */
const savedDays = new Map<string, string>();
const SAVED_MAX = 10_000;

/** Begins to save the day of a key's use, if its item and this process have not got it (rules.md: keys 9). */
function saveDayOfUse({ key_id, last_used_day }: ApiKey, hash: string): Promise<void> | undefined {
  const today = utcDay(Date.now());
  if ((last_used_day ?? '') >= today || savedDays.get(key_id) === today) return undefined;
  if (savedDays.size >= SAVED_MAX) savedDays.clear();
  savedDays.set(key_id, today);
  // Nothing depends on it, so a failure does not fail the request.
  return saveUse(hash, today).catch((error: unknown) =>
    log.warn('use of a key not saved', { key_id, error: describe(error) }),
  );
}

/**
 * The caller behind an Authorization header. Throws auth_missing, auth_invalid, auth_expired, workspace_not_found,
 * forbidden_workspace.
 */
export function authenticate(header: string | undefined): Promise<Caller> {
  return identify(header, findBearer);
}

/** A caller whose request names something that is read together with the key. */
export type CallerReading<T> = Caller & { reading: Promise<T> };

/**
 * As `authenticate`, while `read` reads in the workspace that the key names: one read of the table for both. Only a
 * caller who is not refused learns what comes of it.
 */
export function authenticateReading<T>(
  header: string | undefined,
  read: (workspaceId: string) => Promise<T>,
): Promise<CallerReading<T>> {
  return identify(header, async (hash, workspaceId) => {
    const reading = read(workspaceId);
    // No one waits for it if the key is refused.
    reading.catch(() => undefined);
    return { ...(await findBearer(hash, workspaceId)), reading };
  });
}

/** As `authenticate`, with the costs of the caller, read together with the key. */
export function authenticateWithCosts(header: string | undefined): Promise<CallerWithCosts> {
  return identify(header, findBearerWithCosts);
}

/** Throws forbidden_feature unless the key has the scope. */
export function requireScope(key: ApiKey, scope: Scope): void {
  if (!key.scopes.includes(scope)) throw fail('forbidden_feature', { details: { required_scope: scope } });
}

/** Whether runs of a key may read what other runs have written (rules.md: plan 8). */
export function mayReadTexts(key: ApiKey): boolean {
  return key.scopes.includes('artifacts:read');
}

/** Throws forbidden_feature unless the workspace has the feature. */
export function requireFeature(workspace: Workspace, feature: Feature): void {
  if (!workspace.features.includes(feature))
    throw fail('forbidden_feature', { details: { required_feature: feature } });
}
