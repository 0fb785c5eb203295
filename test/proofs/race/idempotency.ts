// Many keys, each posted many times at once: one run per key, whatever is asked for, and another body under the key is
// refused.
import { createHash } from 'node:crypto';
import type { Home } from '../../support/given.ts';
import type { HttpReply } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import { judgeHere } from '../histories/checker.ts';
import { createRecorder, type Operation, recorded } from '../histories/recorder.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { inParallel, logToItsEnd, patiently } from '../work.ts';

/** Keys that race concurrently. */
const KEYS_AT_ONCE = 4;
const PAGE = 100;

/** A plan claims its key when it is created, a query before it is understood. */
const bodies: Readonly<Record<string, object>> = {
  plan: { input_type: 'plan', plan: when.plan({ kind: 'fetch', params: { source: 'companies' } }) },
  query: { input_type: 'query', query: 'List the companies in Berlin' },
};

interface Counts {
  /** With those that were sent again, since the machine was too slow to answer. */
  posts: number;
  created: number;
  replayed: number;
  conflicts: number;
  runs: number;
  run_created: number;
  worst_ms: number;
}

/** Posts each of `keys` keys `par` times at once, for each kind of body. */
export async function raceKeys(
  service: ProvedService,
  { keys, par, seed }: Readonly<Record<'keys' | 'par' | 'seed', number>>,
): Promise<Findings> {
  const breaches: string[] = [];
  const counts: Record<string, Counts> = {};
  const histories: Operation[][] = [];
  for (const [kind, body] of Object.entries(bodies)) {
    const home = await newHome(service, { max_concurrent_runs: 2 * keys });
    const race = new KeyRace(home, body, par);
    const key = (i: number) => createHash('sha256').update(`${seed} ${kind} ${i}`).digest('base64url');
    await inParallel(KEYS_AT_ONCE, keys, (i) => race.run(key(i)));
    await race.readBack();
    counts[kind] = race.counts;
    histories.push(race.recorder.operations);
    breaches.push(...race.breaches.map((breach) => `${kind}: ${breach}`));
    const { created, replayed, conflicts, runs, run_created } = race.counts;
    const wanted = [keys * par, keys, keys, keys];
    const found = [created + replayed, conflicts, runs, run_created];
    if (found.join() !== wanted.join()) breaches.push(`${kind}: ${found} where ${wanted} were due`);
  }
  const { judged, breaches: contradictions } = judgeHere(histories);
  return { breaches: [...breaches, ...contradictions], judged, ...counts };
}

class KeyRace {
  readonly breaches: string[] = [];
  readonly recorder = createRecorder();
  readonly #call = recorded(this.recorder);
  readonly counts: Counts = {
    posts: 0,
    created: 0,
    replayed: 0,
    conflicts: 0,
    runs: 0,
    run_created: 0,
    worst_ms: 0,
  };
  readonly #home: Home;
  readonly #body: object;
  readonly #par: number;

  constructor(home: Home, body: object, par: number) {
    this.#home = home;
    this.#body = body;
    this.#par = par;
  }

  async #post(key: string, body: object): Promise<HttpReply> {
    const begun = performance.now();
    const headers = { 'Idempotency-Key': key };
    const reply = await patiently(() => {
      this.counts.posts += 1;
      return this.#call('POST', '/runs', { ...this.#home, body, headers });
    });
    this.counts.worst_ms = Math.max(this.counts.worst_ms, Math.round(performance.now() - begun));
    return reply;
  }

  /** All posts of one key at once, then one with another body. */
  async run(key: string): Promise<void> {
    const replies = await Promise.all(Array.from({ length: this.#par }, () => this.#post(key, this.#body)));
    const id = replies[0]?.body.id;
    const created = this.counts.created;
    for (const { status, headers, body } of replies) {
      const replayed = headers.get('idempotency-replayed') === 'true';
      if (status === 202 && !replayed) this.counts.created += 1;
      else if (status === 200 && replayed) this.counts.replayed += 1;
      else this.breaches.push(`${key} answered ${status} ${JSON.stringify(body)}`);
      if (body.id !== id) this.breaches.push(`${key} made ${id} and ${body.id}`);
    }
    // None, where the answer to the creating post was lost.
    if (this.counts.created > created + 1) this.breaches.push(`${key} was created twice`);
    const { status, body } = await this.#post(key, { ...this.#body, metadata: { altered: key } });
    if (status === 409 && body.error.details?.original_run_id === id) this.counts.conflicts += 1;
    else this.breaches.push(`${key} with another body answered ${status} ${JSON.stringify(body)}`);
  }

  /** Counts the runs that exist, and how often each was created. */
  async readBack(): Promise<void> {
    const ids: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(cursor && { cursor }) });
      const { body } = await patiently(() => this.#call('GET', `/runs?${query}`, { ...this.#home }));
      ids.push(...body.data.map((run: { id: string }) => run.id));
      cursor = body.next_cursor;
      more = body.has_more;
    }
    this.counts.runs = new Set(ids).size;
    await inParallel(KEYS_AT_ONCE, ids.length, async (i) => {
      const log = await logToItsEnd(this.#home, ids[i] ?? '');
      this.counts.run_created += log.filter(({ event_type }) => event_type === 'run.created').length;
    });
  }
}
