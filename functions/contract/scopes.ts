// The scopes of keys and the features of workspaces.
import * as z from 'zod';

export const scopes = [
  'runs:create',
  'runs:read',
  'runs:cancel',
  'runs:delete',
  'artifacts:read',
  'records:write',
  'presets:dossier',
  'monitors:manage',
  'config:xray',
  'config:global_search',
  'config:unlimited_transform',
  'keys:manage',
] as const;
export const Scope = z.enum(scopes).meta({ id: 'Scope' });
export type Scope = z.infer<typeof Scope>;

export const features = ['WEBHOOK_INTEGRATION', 'GLOBAL_SEARCH'] as const;
export type Feature = (typeof features)[number];
