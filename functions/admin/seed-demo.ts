// Command `seed_demo`: a workspace with sample records and a key to query them.
import { features } from '#contract/scopes.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships } from '#domain/records/import-relationships.ts';
import { createKey } from '#domain/workspaces/keys.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import { GLOBAL_WORKSPACE_ID } from '#store/workspaces/workspaces.ts';
import { demoEntities, demoRelationships, publicEntities } from './demo-records.ts';

const DEMO_WORKSPACE_ID = '00000000-0000-4000-8000-000000000002';

/**
 * Creates the demo workspace (all features, no credit limit) with its records, and some public records in the global
 * workspace. A repeat restores the records and creates another key.
 */
export async function seedDemo(by: Actor): Promise<{ workspace_id: string; api_key: string }> {
  const workspace_id = DEMO_WORKSPACE_ID;
  await createWorkspace({ name: 'Demo', tier: 'enterprise', features: [...features] }, workspace_id);
  await importEntities(workspace_id, demoEntities());
  await importEntities(GLOBAL_WORKSPACE_ID, publicEntities());
  await importRelationships(workspace_id, demoRelationships());
  const { api_key } = await createKey({ workspace_id, name: 'Demo', scopes: 'all' }, by);
  return { workspace_id, api_key };
}
