// Workspaces: settings and status, the list of them, and maintenance.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { tiers } from '#contract/limits.ts';
import { Tier } from '#contract/me.ts';
import { features } from '#contract/scopes.ts';
import { countersWrite } from '../money/counters.ts';
import {
  getItem,
  getItems,
  type Item,
  queryPage,
  table,
  tableName,
  takesEffect,
  transact,
  type Write,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/**
 * The workspace whose records every run with `xray` or `global_search` may read; an operator fills it like any other.
 */
export const GLOBAL_WORKSPACE_ID = '00000000-0000-4000-8000-000000000001';

export const Workspace = z.object({
  workspace_id: z.string(),
  name: z.string(),
  tier: Tier,
  status: z.enum(['active', 'suspended', 'deleted']),
  features: z.array(z.enum(features)),
  /** Whether its runs draw credits. */
  credits: z.boolean(),
  max_concurrent_runs: z.number().optional(),
  daily_cost_cap_usd: z.number().optional(),
  maintenance: z.boolean().optional(),
  created_at: z.number(),
  /** How many monitors it has, and how many of them watch records: writers of records look no further at zero. */
  monitors: z.number().optional(),
  change_monitors: z.number().optional(),
  /** The names of its live sources. */
  sources: z.set(z.string()).optional(),
  /** Grows with every new key, so that a decision on the keys sees whether they are still the same. */
  keys_version: z.number().optional(),
  /** Until then (epoch ms) a rotated key is in its grace. */
  grace_until: z.number().optional(),
  /** Closed to all callers since then (epoch ms), because it is being purged. */
  closed_at: z.number().optional(),
});
export type Workspace = z.infer<typeof Workspace>;

/** How many runs a workspace may have in flight: its own limit, else its tier's (rules.md: capacity 1). */
export function maxConcurrentRuns(workspace: Workspace): number {
  return workspace.max_concurrent_runs ?? tiers[workspace.tier].max_concurrent_runs;
}

/** What a workspace may spend on a UTC day, in USD: its own cap, else its tier's (rules.md: capacity 2). */
export function dailyCostCapUsd(workspace: Workspace): number {
  return workspace.daily_cost_cap_usd ?? tiers[workspace.tier].daily_cost_cap_usd;
}

export async function get(workspaceId: string): Promise<Workspace | undefined> {
  const item = await getItem(keys.workspace(workspaceId));
  return item && Workspace.parse(item);
}

/** Whether work may write to the workspace: it exists, and no purge has closed it. */
export async function mayWrite(workspaceId: string): Promise<boolean> {
  const workspace = await get(workspaceId);
  return workspace !== undefined && workspace.closed_at === undefined;
}

/** Saves a new workspace with its counters. Does nothing if it exists. */
export async function create(workspace: Workspace, credits: number | undefined): Promise<void> {
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  const { workspace_id, created_at } = workspace;
  const saved = transact([
    { Put: { TableName: tableName(), Item: { ...keys.workspace(workspace_id), ...workspace }, ...isNew } },
    countersWrite(workspace_id, credits, created_at),
    { Put: { TableName: tableName(), Item: keys.listedWorkspace(workspace_id) } },
  ]);
  await takesEffect(saved);
}

/** Writes that set the given attributes of a workspace; none where all are undefined. They fail if it is gone. */
export function updateWrites(workspaceId: string, change: Partial<Workspace>): Write[] {
  const names = Object.entries(change).filter(([, value]) => value !== undefined);
  if (names.length === 0) return [];
  const update = {
    TableName: tableName(),
    Key: keys.workspace(workspaceId),
    UpdateExpression: `SET ${names.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: Object.fromEntries(names.map(([name], i) => [`#n${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map(([, value], i) => [`:v${i}`, value])),
  };
  return [{ Update: update }];
}

/** Sets some attributes of a workspace that exists. */
export async function update(workspaceId: string, change: Partial<Workspace>): Promise<void> {
  await transact(updateWrites(workspaceId, change));
}

/** Write that counts monitors; fails if there would be more than `most`. */
export function monitorCountWrite(
  workspaceId: string,
  { monitors, change_monitors }: { monitors: number; change_monitors: number },
  most: number,
): Write {
  return {
    Update: {
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'ADD monitors :all, change_monitors :watching',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(monitors) OR monitors <= :room)',
      ExpressionAttributeValues: { ':all': monitors, ':watching': change_monitors, ':room': most - monitors },
    },
  };
}

/** Deletes a workspace whose data is gone. Safe to repeat. */
export async function forget(workspaceId: string): Promise<void> {
  await transact(
    [keys.workspace(workspaceId), keys.listedWorkspace(workspaceId)].map((Key) => ({
      Delete: { TableName: tableName(), Key },
    })),
  );
}

/** A page of the ids of all workspaces, from after `after`. */
export async function idPage(
  after: string | undefined,
): Promise<{ ids: string[]; next: string | undefined }> {
  const page = await queryPage(keys.workspaces, { after });
  return { ids: page.items.map((item) => String(item.sk)), next: page.next };
}

/** A page of all workspaces, from after `after`. */
export async function page(
  after: string | undefined,
): Promise<{ workspaces: Workspace[]; next: string | undefined }> {
  const { ids, next } = await idPage(after);
  const items = await getItems(ids.map(keys.workspace));
  return { workspaces: items.map((item) => Workspace.parse(item)), next };
}

/** Switches maintenance of the whole service. */
export async function setServiceMaintenance(active: boolean): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.maintenance,
      UpdateExpression: 'SET active = :active',
      ExpressionAttributeValues: { ':active': active },
    }),
  );
}

/** Whether maintenance is on for the whole service. */
export async function serviceMaintenance(): Promise<boolean> {
  return maintenanceOf(undefined, await getItem(keys.maintenance));
}

/** The names of the live sources of a workspace, by its own item. */
export function sourceNamesOf(workspace: Item | undefined): ReadonlySet<string> {
  return Workspace.shape.sources.parse(workspace?.sources) ?? new Set();
}

const SLOW_AGAIN_MS = 30_000;

/** Notes that receivers of a workspace are slow. */
export async function markSlowReceivers(workspaceId: string, until: number): Promise<void> {
  const marked = table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: 'SET slow_receivers_until = :until',
      // Attempts that are slow together write once.
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(slow_receivers_until) OR slow_receivers_until < :soon)',
      ExpressionAttributeValues: { ':until': until, ':soon': until - SLOW_AGAIN_MS },
    }),
  );
  await takesEffect(marked);
}

/** Whether receivers of a workspace were slow a short time ago, by its own item. */
export const hasSlowReceivers = (workspace: Item | undefined, now: number): boolean =>
  Number(workspace?.slow_receivers_until ?? 0) > now;

/** Whether receivers of a workspace were slow a short time ago. */
export async function receiversAreSlow(workspaceId: string): Promise<boolean> {
  return hasSlowReceivers(await getItem(keys.workspace(workspaceId)), Date.now());
}

/** Whether maintenance is on for a workspace, by its own item and that of the service. */
export function maintenanceOf(workspace: Item | undefined, service: Item | undefined): boolean {
  return service?.active === true || workspace?.maintenance === true;
}
