// The config flags that require a scope.
import type { Scope } from '../../sdk/index.ts';

export const scopedFlags = [
  { name: 'xray', does: 'Also search the global workspace', scope: 'config:xray' },
  { name: 'global_search', does: 'Search more broadly', scope: 'config:global_search' },
  {
    name: 'unlimited_transform',
    does: 'Let a transform work on up to 5,000 items',
    scope: 'config:unlimited_transform',
  },
] as const satisfies readonly { name: string; does: string; scope: Scope }[];
