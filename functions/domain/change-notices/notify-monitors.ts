// Which monitors watch the records that are written, and their marks (rules.md: monitors 8). A workspace says in its
// own item, which every writer of records reads anyway, whether it has such monitors; without one a writer does nothing
// more.
import type { Where } from '#contract/conditions.ts';
import type { Entity } from '#contract/entities.ts';
import { meetsEach } from '#models/meets.ts';
import { enqueueFire, FIRE_DELAY_MAX_MS } from '#orchestration/fire-queue.ts';
import { chunks } from '#platform/chunks.ts';
import { describe, log } from '#platform/log.ts';
import type { NoticeKey } from '#store/monitors/change-notices.ts';
import * as marks from '#store/monitors/change-notices.ts';
import type { MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';

/** A record before and after a write; without `after` it is deleted. */
export interface RecordChange {
  before?: Entity | undefined;
  after?: Entity | undefined;
}

/** The ids of the monitors that watch one of the changed records. */
export async function watching(
  { workspace_id, change_monitors = 0 }: Pick<Workspace, 'workspace_id' | 'change_monitors'>,
  changes: RecordChange[],
): Promise<string[]> {
  if (change_monitors === 0 || changes.length === 0) return [];
  const open = (await monitors.list(workspace_id)).flatMap(({ id, status, on }) =>
    status === 'paused' || !('change' in on) ? [] : [{ id, ...on.change }],
  );
  const records = changes.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined));
  const watchers = new Set<string>();
  for (const record of records) {
    const others = open.filter(({ id, types }) => !watchers.has(id) && types.includes(record.type));
    const met = meetsEach(
      record,
      others.map(({ where }) => where ?? EVERY_RECORD),
    );
    for (const [i, { id }] of others.entries()) if (met[i]) watchers.add(id);
  }
  return open.map(({ id }) => id).filter((id) => watchers.has(id));
}

const EVERY_RECORD: Where = { field: 'id', op: 'exists', value: true };

/** As `claimNotice`, for a writer that has its answer: the sweep takes up what fails here. */
export async function claimNoticeSoon(entry: NoticeKey): Promise<void> {
  try {
    await claimNotice(entry);
  } catch (error) {
    log.warn('changes not taken up, the sweep will', { ...entry, error: describe(error) });
  }
}

/** A transaction has at most 100 actions; one removes the entry. */
const MARKED_AT_ONCE = 90;

/**
 * Marks the monitors of an entry, and removes it with the last of them. After a crash in between, the sweep takes up
 * the entry again; a monitor marked twice fires once.
 */
export async function claimNotice(entry: NoticeKey): Promise<void> {
  await monitors.retryIfStale(async () => {
    const parts = chunks(await marks.read(entry), MARKED_AT_ONCE);
    for (const [i, some] of parts.entries()) await mark(entry, some, i === parts.length - 1);
  });
}

async function mark(entry: NoticeKey, ids: string[], isLast: boolean): Promise<void> {
  const now = Date.now();
  const found = await Promise.all(ids.map((id) => monitors.get(entry.workspace_id, id)));
  const marked = found.flatMap((monitor) => {
    if (!monitor || monitor.status === 'paused' || !('change' in monitor.on)) return [];
    return [{ before: monitor, change: { marked: { since: now, ...monitor.marked, last: now } } }];
  });
  const writes = marked.map(({ before, change }) => monitors.changeWrite(before, change));
  await monitors.transactAll([...writes, ...(isLast ? [marks.removeWrite(entry)] : [])]);
  await Promise.all(marked.map(({ before, change }) => fireWhenSettled({ ...before, ...change }, now)));
}

/** A message for when the change has settled; what takes longer, or is lost, the sweep finds. */
async function fireWhenSettled(monitor: MonitorRecord, nowMs: number): Promise<void> {
  const delay = (monitors.settledAt(monitor) ?? nowMs) - nowMs;
  if (delay > FIRE_DELAY_MAX_MS) return;
  await enqueueFire({ workspace_id: monitor.workspace_id, monitor_id: monitor.id }, delay);
}
