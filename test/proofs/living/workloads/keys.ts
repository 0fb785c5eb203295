// Many keys, each posted many times at once: one run per key, whatever is asked for, and another body under the key is
// refused.
import { createHash } from 'node:crypto';
import type { HttpReply } from '../../../support/service.ts';
import * as when from '../../../support/when.ts';
import { inParallel, patiently } from '../../work.ts';
import type { Workload } from '../campaign.ts';
import { finishedLog, partOf, untilItWorks, type World } from '../world.ts';

/** Keys that race concurrently. */
const KEYS_AT_ONCE = 4;
const PAGE = 100;
/** Many creates at once take a slow machine longer than any single one. */
const TIMEOUT_MS = 60_000;

/** A plan claims its key when it is created, a query before it is understood. */
const bodies: Readonly<Record<string, object>> = {
  plan: { input_type: 'plan', plan: when.plan({ kind: 'fetch', params: { source: 'companies' } }) },
  query: { input_type: 'query', query: 'List the companies in Berlin' },
};

interface Counts {
  /** With those that were sent again, since the service failed or was away. */
  posts: number;
  created: number;
  replayed: number;
  conflicts: number;
}

/** Each of so many keys posted `par` times at once, for each kind of body. */
export function keys(count: number, par: number): Workload {
  const counts: Counts = { posts: 0, created: 0, replayed: 0, conflicts: 0 };
  const made = new Set<string>();
  let underWay = 0;

  const post = ({ service }: World, key: string, body: object): Promise<HttpReply> =>
    patiently(() => {
      counts.posts += 1;
      return service.ask({
        method: 'POST',
        path: '/runs',
        body,
        idempotency_key: key,
        timeout_ms: TIMEOUT_MS,
      });
    });

  /** All posts of one key at once, then one with another body. */
  async function race(world: World, key: string, body: object): Promise<void> {
    const { breaches } = world;
    const replies = await Promise.all(Array.from({ length: par }, () => post(world, key, body)));
    const id = replies[0]?.body.id;
    made.add(id);
    const before = counts.created;
    for (const { status, headers, body: answer } of replies) {
      const isReplayed = headers.get('idempotency-replayed') === 'true';
      if (status === 202 && !isReplayed) counts.created += 1;
      else if (status === 200 && isReplayed) counts.replayed += 1;
      else breaches.push(`${key} answered ${status} ${JSON.stringify(answer)}`);
      if (answer.id !== id) breaches.push(`${key} made ${id} and ${answer.id}`);
    }
    // None, where the answer to the creating post was lost.
    if (counts.created > before + 1) breaches.push(`${key} was created twice`);
    const { status, body: refusal } = await post(world, key, { ...body, metadata: { altered: key } });
    if (status === 409 && refusal.error.details?.original_run_id === id) counts.conflicts += 1;
    else breaches.push(`${key} with another body answered ${status} ${JSON.stringify(refusal)}`);
  }

  return {
    least_operations: par,

    async round(world, round, rounds) {
      const { from, size } = partOf(count, round, rounds);
      for (const [kind, body] of Object.entries(bodies))
        await inParallel(KEYS_AT_ONCE, size, async (i) => {
          const key = createHash('sha256')
            .update(`${world.seed} ${kind} ${from + i}`)
            .digest('base64url');
          underWay += 1;
          await race(world, key, body);
          underWay -= 1;
        });
    },

    inFlight: async () => underWay,

    /** Every run that exists was made by one of the keys, and created once. */
    async readBack(world) {
      const { service, breaches, figures } = world;
      const all = Object.keys(bodies).length * count;
      const found = [counts.created + counts.replayed, counts.conflicts, made.size];
      const wanted = [all * par, all, all];
      if (found.join() !== wanted.join()) breaches.push(`${found} where ${wanted} were due`);
      const listed = await listOf(service);
      for (const id of listed.filter((one) => !made.has(one))) breaches.push(`no key made run ${id}`);
      if (listed.length !== made.size)
        breaches.push(`${listed.length} runs are listed, ${made.size} were made`);
      for (const id of listed) {
        const log = await finishedLog(world, id);
        const created = log.filter(({ event_type }) => event_type === 'run.created').length;
        if (created !== 1) breaches.push(`run ${id} was created ${created} times`);
      }
      Object.assign(figures, counts);
      return [];
    },
  };
}

async function listOf(service: World['service']): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor && { cursor }) });
    const page = await untilItWorks(() =>
      service.call<{ data: { id: string }[]; next_cursor: string; has_more: boolean }>(
        'GET',
        `/runs?${query}`,
      ),
    );
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    more = page.has_more;
  }
  return ids;
}
