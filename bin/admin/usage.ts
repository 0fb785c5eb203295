// Table of contents of the admin CLI: every command, its positional argument and its flags (Contract 2).

export type FlagKind = 'text' | 'number' | 'list' | 'scopes';

export interface Flag {
  /** Field of the command that the flag fills; a `file` is read by the command itself. */
  field: string;
  kind: FlagKind;
  required?: true;
}

export interface Usage {
  /** Field that the argument after the verb fills. */
  positional?: { field: string; shown: string };
  flags: Readonly<Record<string, Flag>>;
  /** One flag at least must be there. */
  someFlag?: true;
}

const text = (field: string): Flag => ({ field, kind: 'text' });
const number = (field: string): Flag => ({ field, kind: 'number' });
const needed = (flag: Flag): Flag => ({ ...flag, required: true });

const workspace = needed(text('workspace_id'));
const file = text('file');
const settings = {
  tier: text('tier'),
  features: { field: 'features', kind: 'list' },
  credits: number('credits'),
  'max-concurrent-runs': number('max_concurrent_runs'),
  'daily-cost-cap-usd': number('daily_cost_cap_usd'),
} as const satisfies Usage['flags'];
const workspaceId = { field: 'workspace_id', shown: 'ID' };

export const usages: Readonly<Record<string, Usage>> = {
  'workspace create': { flags: { name: needed(text('name')), ...settings } },
  'workspace update': {
    positional: workspaceId,
    flags: { name: text('name'), ...settings, status: text('status') },
    someFlag: true,
  },
  'workspace show': { positional: workspaceId, flags: {} },
  'key create': {
    flags: {
      workspace,
      name: text('name'),
      scopes: { field: 'scopes', kind: 'scopes', required: true },
      'expires-at': number('expires_at'),
      'daily-cost-limit-usd': number('daily_cost_limit_usd'),
    },
  },
  'key revoke': { positional: { field: 'key_id', shown: 'KEY_ID' }, flags: {} },
  'key list': { flags: { workspace } },
  'entity import': { flags: { workspace, file: needed(file) } },
  'relationship import': { flags: { workspace, file: needed(file) } },
  'bridge create': { flags: { file: needed(file) } },
  'bridge update': {
    positional: { field: 'bridge_id', shown: 'ID' },
    flags: { status: text('status'), file },
    someFlag: true,
  },
  'maintenance start': { flags: { workspace: text('workspace_id') } },
  'maintenance end': { flags: { workspace: text('workspace_id') } },
  'maintenance show': { flags: { workspace: text('workspace_id') } },
  listen: {
    flags: { run: text('run_id'), workspace: text('workspace_id'), 'forward-to': needed(text('forward_to')) },
  },
  'ledger list': { flags: { workspace } },
  'vector rebuild': { flags: { workspace } },
  'delivery list': { flags: { run: needed(text('run_id')) } },
};

/** Flags of every command: where the service is. */
export const targetFlags = ['data-dir', 'stack', 'region'] as const;

/** How a command is written. */
export function usageLine(name: string, usage: Usage): string {
  const flags = Object.entries(usage.flags).map(([flag, { required }]) =>
    required ? `--${flag} …` : `[--${flag} …]`,
  );
  return ['npm run --silent admin --', name, usage.positional?.shown, ...flags]
    .filter((part) => part !== undefined)
    .join(' ');
}
