// Table of contents of the admin CLI: every command, its argument and its flags (rules.md: admin 1).

/** A flag. */
export interface Flag {
  /** Field of the command that the flag sets. The command itself reads a `file`. */
  field: string;
  /** It takes no value: the field is true. */
  isSwitch?: true;
  /** Parses the value. Throws Error. */
  parse: (value: string) => unknown;
  /** Placeholder for the value on the usage page. */
  placeholder: string;
  required?: true;
}

export interface Usage {
  /** What the command does, for the usage page. */
  help: string;
  /** Field that the argument after the verb sets, and its placeholder on the usage page. */
  positional?: { field: string; placeholder: string };
  flags: Readonly<Record<string, Flag>>;
  /** At least one flag must be given. */
  someFlag?: true;
}

const text = (field: string, placeholder = 'S'): Flag => ({ field, parse: String, placeholder });
const number = (field: string, placeholder = 'N'): Flag => ({ field, parse: numberOf, placeholder });
const needed = (flag: Flag): Flag => ({ ...flag, required: true });

function numberOf(value: string): number {
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())) return Number(value);
  throw new Error('not a number');
}

/** Splits at commas; an empty value has no parts. */
function listOf(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

const workspace = text('workspace_id', 'ID');
const file = text('file', 'FILE');
const turnedOn = (field: string): Flag => ({ field, parse: Boolean, placeholder: '', isSwitch: true });
const ids = turnedOn('ids');

/** What is chosen for a file of rows. */
const fileChoices = {
  type: text('type', 'TYPE'),
  'name-field': text('name_field', 'COLUMN'),
  'id-field': text('id_field', 'COLUMN'),
  text: { field: 'text_fields', parse: listOf, placeholder: 'A,B' },
  update: turnedOn('update'),
  'dry-run': turnedOn('dry_run'),
} as const;
const settings = {
  tier: text('tier', 'free|pro|enterprise'),
  features: { field: 'features', parse: listOf, placeholder: 'A,B' },
  credits: number('credits'),
  'max-concurrent-runs': number('max_concurrent_runs'),
  'daily-cost-cap-usd': number('daily_cost_cap_usd', 'X'),
};
const sourceName = { field: 'name', placeholder: 'NAME' };
const workspaceId = { field: 'workspace_id', placeholder: 'ID' };

export const usages: Readonly<Record<string, Usage>> = {
  'workspace create': { help: 'creates a workspace', flags: { name: needed(text('name')), ...settings } },
  'workspace update': {
    help: 'changes settings of a workspace',
    positional: workspaceId,
    flags: { name: text('name'), ...settings, status: text('status', 'active|suspended|deleted') },
    someFlag: true,
  },
  'workspace show': {
    help: 'prints a workspace, its credits, slots and cost',
    positional: workspaceId,
    flags: {},
  },
  'workspace purge': {
    help: 'deletes a workspace with everything it has, for good',
    flags: { workspace: needed(workspace), confirm: needed(text('confirm', 'ID')) },
  },
  'key create': {
    help: 'makes an API key, which is shown this once',
    flags: {
      workspace: needed(workspace),
      name: text('name'),
      scopes: {
        field: 'scopes',
        parse: (value) => (value === 'all' ? value : listOf(value)),
        placeholder: 'A,B|all',
        required: true,
      },
      'expires-at': number('expires_at', 'EPOCH_MS'),
      'daily-cost-limit-usd': number('daily_cost_limit_usd', 'X'),
    },
  },
  'key revoke': { help: 'revokes a key', positional: { field: 'key_id', placeholder: 'KEY_ID' }, flags: {} },
  'key list': { help: 'lists the keys of a workspace', flags: { workspace: needed(workspace) } },
  'entity import': {
    help: 'imports entities from NDJSON, or the rows of CSV, TSV or JSON with --type; a line is the record that has its id, else its external_id with its source, else its external_uri, and lines without are told apart by type, name and order: the same file again changes nothing; rows change records that exist with --update only; --ids also lists the records, as in a pipe',
    flags: { workspace: needed(workspace), file: needed(file), ids, ...fileChoices },
  },
  'relationship import': {
    help: 'imports relationships from NDJSON; from, to, type and metadata.role make one, other metadata replaces; --ids also lists them, as in a pipe',
    flags: { workspace: needed(workspace), file: needed(file), ids },
  },
  'bridge create': { help: 'creates a bridge from a JSON file', flags: { file: needed(file) } },
  'bridge update': {
    help: 'changes the status or the mapping of a bridge',
    positional: { field: 'bridge_id', placeholder: 'ID' },
    flags: { status: text('status', 'active|inactive'), file },
    someFlag: true,
  },
  'source create': {
    help: 'creates a live source from a JSON file; its secret is shown this once',
    flags: { workspace: needed(workspace), file: needed(file) },
  },
  'source update': {
    help: 'replaces all of a source but its name and secret',
    positional: sourceName,
    flags: { workspace: needed(workspace), file: needed(file) },
  },
  'source list': {
    help: 'lists the live sources of a workspace',
    flags: { workspace: needed(workspace) },
  },
  'source delete': {
    help: 'deletes a live source',
    positional: sourceName,
    flags: { workspace: needed(workspace) },
  },
  'maintenance start': { help: 'pauses the runs of one workspace, or of all', flags: { workspace } },
  'maintenance end': { help: 'lets the paused runs continue', flags: { workspace } },
  'maintenance show': { help: 'prints whether maintenance is active', flags: { workspace } },
  'ledger list': { help: 'lists what a workspace was charged', flags: { workspace: needed(workspace) } },
  'model check': {
    help: 'asks each model endpoint one small question, and the model 30 with known answers; --quick: the offline one, too',
    flags: { quick: { field: 'quick', parse: Boolean, placeholder: '', isSwitch: true } },
  },
  'vector show': {
    help: 'prints by which model the vectors of records are made, and how many are outdated',
    flags: { workspace },
  },
  'vector rebuild': {
    help: 'computes the vectors of all records of a workspace again',
    flags: { workspace: needed(workspace) },
  },
  'index renew': {
    help: 'after a restore of the table: has every record index built again, of one workspace or of all',
    flags: { workspace },
  },
  'index engine': {
    help: 'prints the version and the compile options of the SQLite that record indexes use',
    flags: {},
  },
  'delivery list': {
    help: 'lists the webhook deliveries of a run',
    flags: { run: needed(text('run_id', 'ID')) },
  },
};

/** Flags of every command: they choose the service. */
export const targetFlags = {
  'data-dir': { ...text('data_dir', 'D'), help: 'data folder of a running local service (default .local)' },
  stack: { ...text('stack', 'NAME'), help: 'a deployed stack instead' },
  region: { ...text('region', 'R'), help: 'region of the stack' },
};

/** The commands whose names begin with these words. */
export function commandsUnder(words: readonly string[]): [name: string, usage: Usage][] {
  return Object.entries(usages).filter(([name]) => `${name} `.startsWith([...words, ''].join(' ')));
}
