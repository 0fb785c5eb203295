// What a key may do, in words.
import type { Scope } from '../../sdk/index.ts';

export interface ScopeText {
  does: string;
  /** It may cause cost. */
  spends?: true;
}

const texts: Readonly<Record<string, ScopeText>> = {
  'runs:create': { does: 'Create, resume and rerun runs, send webhooks again', spends: true },
  'runs:read': { does: 'Read runs, records, monitors, deliveries and usage' },
  'runs:cancel': { does: 'Cancel runs' },
  'runs:delete': { does: 'Delete runs with all that they made' },
  'artifacts:read': { does: 'Read artifacts, notes, the items of steps and saved model calls' },
  'records:write': { does: 'Import, change and delete records' },
  'presets:dossier': { does: 'Create dossiers', spends: true },
  'monitors:manage': { does: 'Create, change, start and delete monitors', spends: true },
  'config:xray': { does: 'Let runs also search the global workspace' },
  'config:global_search': { does: 'Let runs search more broadly' },
  'config:unlimited_transform': { does: 'Let a transform work on up to 5,000 items', spends: true },
  'keys:manage': { does: 'Create, rotate and revoke keys, read the audit' },
};

/** A scope in words; a newer service may have others. */
export const scopeText = (scope: Scope): ScopeText => texts[scope] ?? { does: scope };

const reading: readonly string[] = ['runs:read', 'artifacts:read'];
const agents: readonly string[] = [...reading, 'runs:create', 'runs:cancel'];

/** The usual choices, as far as the key that makes another has the scopes itself. */
export const presets = {
  Read: (own: readonly Scope[]) => own.filter((scope) => reading.includes(scope)),
  Agent: (own: readonly Scope[]) => own.filter((scope) => agents.includes(scope)),
  Full: (own: readonly Scope[]) => [...own],
} as const satisfies Record<string, (own: readonly Scope[]) => Scope[]>;

/** Whether two choices are the same. */
export const sameScopes = (left: readonly Scope[], right: readonly Scope[]): boolean =>
  left.length === right.length && left.every((scope) => right.includes(scope));
