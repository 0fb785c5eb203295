// The items that come for a job: pages by their numbers, and those of its completion, each an item of its run.
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { SourceItem } from '#contract/live-sources.ts';
import type { JobKey } from '#contract/run-keys.ts';
import { newId } from '#platform/ids.ts';
import type { Expiring } from '../table/expiry.ts';
import { runObject } from '../table/object-keys.ts';
import { PackedItem, pack, unpack } from '../table/packed.ts';
import { ConditionFailed, getItems, type Item, tableName, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { get, type JobRecord } from './jobs.ts';

/** The items of a `complete` come after all pages. */
const LAST_PAGE = 99;

async function pageItem(job: JobKey & Expiring, page: number, items: SourceItem[]): Promise<Item> {
  const { workspace_id, run_id, expires_at_seconds } = job;
  const body = await pack(items, runObject(workspace_id, run_id, `job-page-${newId()}`));
  return { ...keys.jobPage(job.workspace_id, job.run_id, job, page), body, expires_at_seconds };
}

/** Write of the items that complete a job; part of the commit that ends it. */
export async function lastPageWrite(job: JobKey & Expiring, items: SourceItem[]): Promise<Write> {
  return { Put: { TableName: tableName(), Item: await pageItem(job, LAST_PAGE, items) } };
}

/**
 * Saves a page of items, and counts as a heartbeat. The first page of a number holds: `repeated`. `over`: the job is no
 * longer open. `full`: the job would have more items than a step may.
 */
export async function addPage(
  job: JobRecord,
  page: number,
  items: SourceItem[],
  now: number,
): Promise<'added' | 'repeated' | 'over' | 'full'> {
  const Item = await pageItem(job, page, items);
  const counted = {
    TableName: tableName(),
    Key: keys.job(job.workspace_id, job.run_id, job),
    UpdateExpression: 'SET pages.#page = :count, received = received + :count, beat_at = :now',
    ConditionExpression: '#status = :open AND attribute_not_exists(pages.#page) AND received <= :room',
    ExpressionAttributeNames: { '#status': 'status', '#page': String(page) },
    ExpressionAttributeValues: {
      ':open': 'open',
      ':count': items.length,
      ':now': now,
      ':room': limits.step_items_max - items.length,
    },
  };
  try {
    await transact([{ Update: counted }, { Put: { TableName: tableName(), Item } }]);
    return 'added';
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // What refused it stays: a job never opens again, and its pages only grow.
    const present = await get(job);
    if (present?.status !== 'open') return 'over';
    return present.pages[String(page)] === undefined ? 'full' : 'repeated';
  }
}

/** The items that came for a job: those of its pages by their numbers, then those of its completion. */
export async function itemsOf({ pages, ...job }: JobRecord): Promise<SourceItem[]> {
  const numbers = [...Object.keys(pages).map(Number), LAST_PAGE].sort((left, right) => left - right);
  const found = await getItems(numbers.map((page) => keys.jobPage(job.workspace_id, job.run_id, job, page)));
  const ordered = found.toSorted((left, right) => (String(left.sk) < String(right.sk) ? -1 : 1));
  const bodies = await Promise.all(
    ordered.map((item) => unpack(PackedItem.parse(item).body, (value) => z.array(SourceItem).parse(value))),
  );
  return bodies.flat();
}
