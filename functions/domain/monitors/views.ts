// Monitors and fires as clients read them, in pages.

import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { Fire, FireList, ListedMonitor, Monitor, MonitorList } from '#contract/monitors.ts';
import { decodeCursor, encodeCursor, type PagedList } from '#domain/runs/list-cursor.ts';
import * as fires from '#store/monitors/fires.ts';
import type { MonitorKey, MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import type { MonitorView } from './find-monitor.ts';

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const keyOf = ({ workspace_id, id }: MonitorRecord): MonitorKey => ({ workspace_id, monitor_id: id });

/** A monitor with its newest fire. */
export async function toMonitor({ monitor, run }: MonitorView): Promise<Monitor> {
  return { ...(await toListed(monitor)), run };
}

async function toListed(monitor: MonitorRecord): Promise<ListedMonitor> {
  const { id, name, status, on, overlap, catch_up_seconds, notify, created_at, next_fire_at } = monitor;
  const [last_fire = null] = await fires.page(keyOf(monitor), 1);
  return {
    ...{ id, object: 'monitor', name, status, on, overlap, catch_up_seconds, notify, created_at },
    next_fire_at: next_fire_at ?? null,
    last_fire,
  };
}

/** A page of monitors, newest first. Throws schema_validation_failed (`cursor`). */
export async function listMonitors(
  workspaceId: string,
  query: PageQuery,
): Promise<z.output<typeof MonitorList>> {
  const newest = (await monitors.list(workspaceId)).toReversed();
  const page = await pageOf({ workspace_id: workspaceId, name: 'monitors' }, query, async (limit, before) =>
    newest.filter(({ id }) => before === undefined || id < before).slice(0, limit),
  );
  return { ...page, data: await Promise.all(page.data.map(toListed)) };
}

/** A page of fires, newest first. Throws schema_validation_failed (`cursor`). */
export function listFires(monitor: MonitorRecord, query: PageQuery): Promise<z.output<typeof FireList>> {
  const key = keyOf(monitor);
  return pageOf(
    { workspace_id: key.workspace_id, name: `fires|${monitor.id}` },
    query,
    (limit, before): Promise<Fire[]> => fires.page(key, limit, before),
  );
}

/** A page of a list whose ids grow with time. */
async function pageOf<T extends { id: string }>(
  list: PagedList,
  { limit = limits.monitors_page_default, cursor }: PageQuery,
  read: (limit: number, before: string | undefined) => Promise<T[]>,
) {
  const before = cursor === undefined ? undefined : await decodeCursor(list, cursor);
  const found = await read(limit + 1, before);
  const data = found.slice(0, limit);
  const last = data.at(-1);
  const has_more = found.length > limit;
  return {
    object: 'list' as const,
    data,
    next_cursor: has_more && last ? await encodeCursor(list, last.id) : null,
    has_more,
  };
}
