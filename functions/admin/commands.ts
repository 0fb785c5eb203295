// The admin commands: one schema each (rules.md: admin).
import * as z from 'zod';
import { EntityRef } from '#contract/entities.ts';
import { EpochMs, text, Uuid } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { SourceFile } from '#contract/live-sources.ts';
import { Tier } from '#contract/me.ts';
import { features, scopes } from '#contract/scopes.ts';
import { BridgeFile } from '#contract/sync.ts';
import { ImportEntity, ImportRelationship, Storable } from '#domain/records/checked-lines.ts';

const Id = Uuid.toLowerCase();
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** 0, or what is not lost when money is counted. */
const Usd = z
  .number()
  .nonnegative()
  .max(1e9)
  .refine((usd) => usd === 0 || usd >= limits.usd_min, `at least ${limits.usd_min}, or 0`);
const Count = (max: number) => z.number().int().nonnegative().max(max);

/** A bridge file: workspaces and resource types are unique; relationships connect types of the same workspace. */
export const ImportBridge = Storable.pipe(
  BridgeFile.superRefine(({ workspaces }, context) => {
    const ids = workspaces.map(({ workspace_id }) => workspace_id.toLowerCase());
    if (new Set(ids).size < ids.length)
      context.addIssue({ code: 'custom', path: ['workspaces'], message: 'a workspace is named twice' });
    for (const [w, { resources }] of workspaces.entries())
      for (const [r, message] of resourceFaults(resources))
        context.addIssue({ code: 'custom', path: ['workspaces', w, 'resources', r], message });
  }),
);

/** A source file. */
export const ImportSource = Storable.pipe(SourceFile);

function resourceFaults(resources: BridgeFile['workspaces'][number]['resources']): [number, string][] {
  const entityTypes = resources.filter(({ kind }) => kind === 'entity').map(({ type }) => type);
  return resources.flatMap((resource, i): [number, string][] => {
    if (resources.findIndex(({ type }) => type === resource.type) < i)
      return [[i, `the type ${resource.type} is there twice`]];
    if (resource.kind === 'entity') return [];
    return [resource.fromResourceType, resource.toResourceType]
      .filter((type) => !entityTypes.includes(type))
      .map((type) => [i, `there is no entity resource ${type} in this workspace`]);
  });
}

const settings = {
  tier: Tier.optional(),
  features: z.array(z.enum(features)).optional(),
  credits: Count(1e12).optional(),
  max_concurrent_runs: Count(10_000).optional(),
  daily_cost_cap_usd: Usd.optional(),
};
/** A command over all workspaces processes one page per call; a reply with `next` continues after it. */
const paged = { after: Id.optional() };
const anyWorkspace = { workspace_id: Id.optional(), ...paged };

/** The most lines in one import command. */
export const IMPORT_MAX_LINES = 500;
const lines = <T extends z.ZodType>(line: T) => z.array(line).max(IMPORT_MAX_LINES);

export const Command = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('workspace.create'), name: text(1, 200), ...settings }),
  z.strictObject({
    command: z.literal('workspace.update'),
    workspace_id: Id,
    name: text(1, 200).optional(),
    status: z.enum(['active', 'suspended', 'deleted']).optional(),
    ...settings,
  }),
  z.strictObject({ command: z.literal('workspace.show'), workspace_id: Id }),
  z.strictObject({
    command: z.literal('workspace.purge'),
    workspace_id: Id,
    confirm: Id,
    after: z
      .string()
      .regex(/^(close|objects|(vectors|items)( [\w-]{1,8000})?)$/)
      .optional(),
  }),
  z.strictObject({
    command: z.literal('key.create'),
    workspace_id: Id,
    name: text(1, 200).optional(),
    scopes: z.union([z.literal('all'), z.array(z.enum(scopes)).min(1)], {
      error: `expected all, or some of ${scopes.join(', ')}`,
    }),
    expires_at: EpochMs.optional(),
    daily_cost_limit_usd: Usd.optional(),
  }),
  z.strictObject({ command: z.literal('key.revoke'), key_id: text(1, 100) }),
  z.strictObject({ command: z.literal('key.list'), workspace_id: Id }),
  z.strictObject({ command: z.literal('import.start'), workspace_id: Id, file_sha256: Sha256 }),
  z.strictObject({ command: z.literal('import.end'), workspace_id: Id, file_sha256: Sha256 }),
  z.strictObject({
    command: z.literal('entity.import'),
    workspace_id: Id,
    entities: lines(ImportEntity),
    origin: z.strictObject({ import_id: Id, offset: Count(1e12) }).optional(),
    update: z.boolean().optional(),
    dry_run: z.boolean().optional(),
  }),
  z.strictObject({
    command: z.literal('relationship.resolve'),
    workspace_id: Id,
    relationships: lines(z.strictObject({ from: EntityRef, to: EntityRef })),
  }),
  z.strictObject({
    command: z.literal('relationship.import'),
    workspace_id: Id,
    relationships: lines(ImportRelationship),
  }),
  z.strictObject({ command: z.literal('bridge.create'), bridge: ImportBridge }),
  z.strictObject({
    command: z.literal('bridge.update'),
    bridge_id: Id,
    status: z.enum(['active', 'inactive']).optional(),
    bridge: ImportBridge.optional(),
  }),
  z.strictObject({ command: z.literal('source.create'), workspace_id: Id, source: ImportSource }),
  z.strictObject({
    command: z.literal('source.update'),
    workspace_id: Id,
    name: text(1, 64),
    source: ImportSource,
  }),
  z.strictObject({ command: z.literal('source.list'), workspace_id: Id }),
  z.strictObject({ command: z.literal('source.delete'), workspace_id: Id, name: text(1, 64) }),
  z.strictObject({ command: z.literal('maintenance.start'), ...anyWorkspace }),
  z.strictObject({ command: z.literal('maintenance.end'), ...anyWorkspace }),
  z.strictObject({ command: z.literal('maintenance.show'), ...anyWorkspace }),
  z.strictObject({ command: z.literal('delivery.list'), run_id: Id, ...paged }),
  z.strictObject({ command: z.literal('ledger.list'), workspace_id: Id }),
  z.strictObject({ command: z.literal('vector.rebuild'), workspace_id: Id, ...paged }),
  z.strictObject({ command: z.literal('model.check'), quick: z.boolean().optional() }),
  z.strictObject({ command: z.literal('vector.show'), workspace_id: Id.optional() }),
  z.strictObject({ command: z.literal('index.renew'), ...anyWorkspace }),
  z.strictObject({ command: z.literal('index.engine') }),
  z.strictObject({ command: z.literal('seed_demo') }),
]);
export type Command = z.infer<typeof Command>;
/** A command as sent, before defaults are filled in. */
export type CommandInput = z.input<typeof Command>;

/** Who sends a command, as its client says; nothing proves it. It comes as a member of the command. */
export const Claim = z.looseObject({ claimed_caller: text(1, 2048).optional() });

/** The issues of a refused value, one line each, with the path if there is one. */
export function issueLines(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => {
    const text = message.endsWith('received undefined') ? 'is missing' : message;
    return path.length > 0 ? `${path.join('.')}: ${text}` : text;
  });
}
