// Preconditions of a test: its own workspace, a key, records.
import type { EntityLine } from '../../functions/contract/entities.ts';
import type { Feature, Scope } from '../../functions/contract/scopes.ts';
import type { ServiceAccess } from './e2e-setup.ts';
import { admin } from './service.ts';

export interface Home {
  workspace_id: string;
  key: string;
  key_id: string;
  /** The workspace's service, when it is not the shared one. */
  access?: Pick<ServiceAccess, 'base_url' | 'site_url'>;
}

/** The caller: a key and its service. */
export type Caller = Pick<Home, 'key' | 'access'>;

interface WorkspaceOptions {
  name?: string;
  tier?: 'free' | 'pro' | 'enterprise';
  features?: Feature[];
  credits?: number;
  max_concurrent_runs?: number;
  daily_cost_cap_usd?: number;
}

/** A new workspace with a key that has every scope. */
export async function workspace(options: WorkspaceOptions = {}): Promise<Home> {
  const { workspace_id } = await admin({
    command: 'workspace.create',
    name: 'Test',
    tier: 'enterprise',
    ...options,
  });
  const { api_key, key_id } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  return { workspace_id, key: api_key, key_id };
}

/** Another key of a workspace. */
export async function key(
  workspaceId: string,
  scopes: Scope[] | 'all',
  options: { expires_at?: number; daily_cost_limit_usd?: number } = {},
): Promise<{ key: string; key_id: string }> {
  const { api_key, key_id } = await admin({
    command: 'key.create',
    workspace_id: workspaceId,
    scopes,
    ...options,
  });
  return { key: api_key, key_id };
}

/** Creates records in a workspace; returns them with their ids. */
export async function entities(
  workspaceId: string,
  lines: (Omit<EntityLine, 'fields'> & { fields?: EntityLine['fields'] })[],
): Promise<{ id: string; name: string; type: string }[]> {
  const found: { id: string; name: string; type: string }[] = [];
  for (let i = 0; i < lines.length; i += 500) {
    const answer = await admin({
      command: 'entity.import',
      workspace_id: workspaceId,
      entities: lines.slice(i, i + 500),
    });
    found.push(...answer.entities);
  }
  return found;
}

/** Records to query: companies and a person. */
export const someCompanies: EntityLine[] = [
  {
    type: 'company',
    name: 'Acme',
    fields: { city: 'Berlin', revenue_musd: 12.5, industry: 'Tools' },
    external_uri: 'crm:acme',
    external_id: 'A1',
    source: 'custom',
  },
  { type: 'company', name: 'Borealis', fields: { city: 'Oslo', revenue_musd: 80, industry: 'Energy' } },
  { type: 'company', name: 'Cobalt', fields: { city: 'Berlin', revenue_musd: 3, industry: 'Chemistry' } },
  { type: 'person', name: 'Dana Ito', fields: { city: 'Berlin', title: 'CTO' } },
];

/** A few companies and people to query. */
export function companies(workspaceId: string) {
  return entities(workspaceId, someCompanies);
}
