// Monitors and fires as clients read them, in pages.
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { FireList, ListedMonitor, Monitor, MonitorList } from '#contract/monitors.ts';
import { newestPage, type PageQuery } from '#domain/runs/newest-page.ts';
import { planAsSent } from '#domain/runs/saved-plan.ts';
import * as fires from '#store/monitors/fires.ts';
import { readPlan } from '#store/monitors/monitor-plans.ts';
import type { MonitorKey, MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import type { MonitorView } from './find-monitor.ts';

const idOf = ({ id }: { id: string }) => id;
const keyOf = ({ workspace_id, id }: MonitorRecord): MonitorKey => ({ workspace_id, monitor_id: id });

/** A monitor with its newest fire and, if it asks a query, the plan of its runs. */
export async function toMonitor({ monitor, run }: MonitorView): Promise<Monitor> {
  const [listed, saved] = await Promise.all([
    toListed(monitor),
    run.input_type === 'query' ? readPlan(keyOf(monitor), monitor.revision) : undefined,
  ]);
  return {
    ...listed,
    run,
    ...(run.input_type === 'query' && { plan: saved ? planAsSent(saved.plan) : null }),
  };
}

async function toListed(monitor: MonitorRecord): Promise<ListedMonitor> {
  const { id, name, status, key_id, on, overlap, catch_up_seconds, notify, created_at } = monitor;
  const { next_fire_at, last_fire_id } = monitor;
  const last_fire = last_fire_id === undefined ? undefined : await fires.get(keyOf(monitor), last_fire_id);
  return {
    ...{ id, object: 'monitor', name, status, key_id, on, overlap, catch_up_seconds, notify, created_at },
    next_fire_at: next_fire_at ?? null,
    last_fire: last_fire ?? null,
  };
}

/** A page of monitors, newest first. Throws schema_validation_failed (`cursor`). */
export async function listMonitors(
  workspaceId: string,
  { limit = limits.monitors_page_default, cursor }: PageQuery,
): Promise<z.output<typeof MonitorList>> {
  const newest = (await monitors.list(workspaceId)).toReversed();
  const list = { workspace_id: workspaceId, name: 'monitors' } as const;
  const read = async (most: number, before: string | undefined) =>
    newest.filter(({ id }) => before === undefined || id < before).slice(0, most);
  const page = await newestPage(list, { limit, cursor }, read, idOf);
  return { ...page, data: await Promise.all(page.data.map(toListed)) };
}

/** A page of fires, newest first. Throws schema_validation_failed (`cursor`). */
export function listFires(
  monitor: MonitorRecord,
  { limit = limits.monitors_page_default, cursor }: PageQuery,
): Promise<z.output<typeof FireList>> {
  const key = keyOf(monitor);
  const list = { workspace_id: key.workspace_id, name: `fires|${monitor.id}` } as const;
  return newestPage(list, { limit, cursor }, (most, before) => fires.page(key, most, before), idOf);
}
