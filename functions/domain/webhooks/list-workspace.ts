// The deliveries of all runs of a workspace, newest first (rules.md: webhooks 7).
import type * as z from 'zod';
import { limits } from '#contract/limits.ts';
import type { DeliveryStatus, WorkspaceDelivery, WorkspaceDeliveryList } from '#contract/webhooks.ts';
import { decodeCursor, encodeCursor } from '#domain/runs/list-cursor.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import type { DeliveryRange, ListedDelivery } from '#store/runs/delivery-list.ts';
import * as deliveryList from '#store/runs/delivery-list.ts';
import { toDelivery } from './list-deliveries.ts';

export interface DeliveryQuery extends DeliveryRange {
  status?: DeliveryStatus | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many deliveries one request reads at most to find those of a status; the page may then be short. */
const LOOK_MAX = 500;
const READ_MAX = 100;

/** A page of deliveries. Throws schema_validation_failed (`cursor`). */
export async function listWorkspaceDeliveries(
  workspaceId: string,
  { status, limit = limits.deliveries_page_default, cursor, ...range }: DeliveryQuery,
): Promise<z.output<typeof WorkspaceDeliveryList>> {
  const list = { workspace_id: workspaceId, name: 'deliveries' } as const;
  let start = cursor === undefined ? undefined : positionIn(workspaceId, await decodeCursor(list, cursor));
  const name = status === 'failed' ? 'newest failed' : 'all';
  const data: WorkspaceDelivery[] = [];
  let more = true;
  for (let looked = 0; more && data.length < limit && looked < LOOK_MAX; looked += READ_MAX) {
    const wanted = limit - data.length;
    const page = await deliveryList.page(workspaceId, name, {
      ...range,
      start,
      limit: status === undefined || status === 'failed' ? wanted : READ_MAX,
    });
    const fitting = (await deliveries.getMany(page.listed))
      // The index lags behind the table.
      .filter((delivery) => status === undefined || delivery.status === status);
    data.push(...fitting.slice(0, wanted).map(toWorkspaceDelivery));
    const cut = fitting.length > wanted ? fitting[wanted - 1] : undefined;
    start = cut ? { ...cut, listed_at: cut.listed_at ?? 0 } : (page.listed.at(-1) ?? start);
    more = cut !== undefined || page.more;
  }
  const next_cursor = more && start ? await encodeCursor(list, nameOf(start)) : null;
  return { object: 'list', data, next_cursor, has_more: next_cursor !== null };
}

const nameOf = ({ listed_at, run_id, event_id }: ListedDelivery) => `${listed_at}#${run_id}#${event_id}`;

function positionIn(workspace_id: string, name: string): ListedDelivery {
  const [at = '', run_id = '', event_id = ''] = name.split('#');
  return { workspace_id, run_id, event_id, listed_at: Number(at) };
}

function toWorkspaceDelivery(record: deliveries.DeliveryRecord): WorkspaceDelivery {
  return { run_id: record.run_id, created_at: record.listed_at ?? 0, ...toDelivery(record) };
}
