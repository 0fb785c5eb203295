// Runs of several kinds that are created while faults happen, as clients do: again with the same key until the answer
// confirms the run.

import type { RunEvent } from '../../../../functions/contract/events.ts';
import { inParallel, isFinished } from '../../work.ts';
import type { Workload } from '../campaign.ts';
import type { Ended } from '../checkers/ends.ts';
import { workerSources } from '../workers.ts';
import { partOf, untilItWorks, type World } from '../world.ts';

interface Kind {
  steps: Record<string, unknown>[];
  config?: object;
  /** How it must end, and the calls and credits that must be counted, unless it fails where it may succeed. */
  statuses: string[];
  calls: number;
  credits: number;
}

const step = (kind: string, instructions: string, params: Record<string, unknown> = {}) => ({
  kind,
  title: kind,
  instructions,
  params,
});
const fetchFive = step('fetch', '', { source: 'companies', limit: 5 });
/** Whether its worker answers, and how, is the worker's choice. */
const asksWorkers = (i: number) => step('fetch', '', { source: workerSources[i] });
const kinds: Kind[] = [
  {
    steps: [fetchFive, step('filter', 'companies [[delay:300]]'), step('reconstitute', '[[delay:200]]')],
    statuses: ['succeeded'],
    calls: 2,
    credits: 32,
  },
  {
    steps: [fetchFive, step('transform', '[[delay:250]] sum up'), step('analyze', '[[delay:300]]')],
    statuses: ['succeeded'],
    calls: 6,
    credits: 27,
  },
  {
    steps: [step('analyze', '[[delay:700]]'), step('analyze', '[[transient:1]]'), step('analyze', 'end')],
    statuses: ['succeeded'],
    calls: 3,
    credits: 60,
  },
  {
    steps: [step('analyze', '[[delay:400]]'), step('analyze', '[[fail]]')],
    statuses: ['failed'],
    calls: 1,
    credits: 0,
  },
  {
    steps: [asksWorkers(0), asksWorkers(1), step('analyze', 'end')],
    statuses: ['succeeded', 'failed'],
    calls: 1,
    credits: 24,
  },
  // A worker may bring more usage than the run may have.
  {
    steps: [fetchFive, asksWorkers(2), step('analyze', '[[delay:300]]')],
    config: { max_cost_usd: 0.005 },
    statuses: ['succeeded', 'failed'],
    calls: 1,
    credits: 24,
  },
];
const kindOf = (i: number): Kind =>
  kinds[i % kinds.length] ?? { steps: [], statuses: [], calls: 0, credits: 0 };

const CREATES_AT_ONCE = 20;
/** One fault after the other can meet the same create. */
const CREATED_MS = 15 * 60_000;
/** A delivery whose message was lost is sent again by the sweep, which leaves it to the queue before. */
const DELIVERED_MS = 12 * 60_000;

/** So many runs in all. `delivered`: waits for their webhooks, which takes minutes where a message was lost. */
export function runs(count: number, delivered: boolean): Workload {
  const ids: string[] = [];
  const open = new Set<string>();
  return {
    least_operations: 1,

    async round({ service, receiver, seed, breaches }, round, rounds) {
      // A fault without a run in flight shows nothing: each round has one at least.
      const { from, size } = partOf(Math.max(count, rounds), round, rounds);
      await inParallel(CREATES_AT_ONCE, size, async (n) => {
        const i = from + n;
        const { steps, config = {} } = kindOf(i);
        const body = {
          input_type: 'plan',
          plan: { title: `Run ${i}`, steps },
          config,
          callback_url: receiver.url,
        };
        const post = () => service.call<{ id: string }>('POST', '/runs', body, `${seed} ${i}`);
        const { id } = await untilItWorks(post, CREATED_MS);
        if (ids.includes(id)) breaches.push(`two keys made run ${id}`);
        ids[i] = id;
        open.add(id);
      });
    },

    /** Forgets those that have ended. */
    async inFlight({ service }) {
      await Promise.all(
        [...open].map(async (id) => {
          const run = await service.call<{ status: string }>('GET', `/runs/${id}`).catch(() => undefined);
          if (run && !['pending', 'running'].includes(run.status)) open.delete(id);
        }),
      );
      return open.size;
    },

    async readBack(world) {
      const ended: Ended[] = [];
      for (const [i, id] of ids.entries())
        ended.push(
          await untilItWorks(() => endOf(world, i, id, delivered), delivered ? DELIVERED_MS : undefined),
        );
      return ended;
    },
  };
}

async function endOf(
  { service, receiver }: World,
  i: number,
  id: string,
  delivered: boolean,
): Promise<Ended> {
  const { data: log } = await service.call<{ data: RunEvent[] }>('GET', `/runs/${id}/events?limit=1000`);
  if (!isFinished(log)) throw new Error(`run ${id} has not ended`);
  const { data: deliveries } = await service.call<{ data: { event_id: string; status: string }[] }>(
    'GET',
    `/runs/${id}/webhook-deliveries`,
  );
  if (delivered && deliveries.some(({ status }) => status === 'pending'))
    throw new Error(`${id}: delivery pending`);
  // Read after the end was seen, so that it is the ended run.
  const run = await service.call<Ended['remains']['run']>('GET', `/runs/${id}`);
  const { statuses, calls, credits } = kindOf(i);
  // What has failed is free, and may have made no call.
  const counts = statuses.length > 1 && run.status === 'failed' ? { credits: 0 } : { calls, credits };
  const webhooks = { deliveries, posted: receiver.posted.get(id) ?? [], must_be_delivered: delivered };
  return { name: `run ${i}`, remains: { run, log, webhooks }, must: { statuses, ...counts } };
}
