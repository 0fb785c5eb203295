// The scopes of keys and the features of workspaces.

export const scopes = [
  'runs:create',
  'runs:read',
  'runs:cancel',
  'artifacts:read',
  'presets:dossier',
  'monitors:manage',
  'config:xray',
  'config:global_search',
  'config:unlimited_transform',
] as const;
export type Scope = (typeof scopes)[number];

export const features = ['WEBHOOK_INTEGRATION', 'GLOBAL_SEARCH'] as const;
export type Feature = (typeof features)[number];
