// Deliveries to receivers that hang, reset, drip, lie and flood: each attempt is classified correctly, and other
// tenants' deliveries continue.
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../../functions/contract/limits.ts';
import type { Delivery } from '../../../functions/contract/webhooks.ts';
import type { Home } from '../../support/given.ts';
import { call } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import { percentile } from '../bench/figures.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { random } from '../random.ts';
import { inParallel, patiently } from '../work.ts';
import { faultsOf, type Planned, type Slowness, unexpected } from './delivery-judge.ts';
import { behaviours, hostileReceiver } from './hostile-receiver.ts';

const READ_AT_ONCE = 8;
/**
 * Deliveries that begin in a second: fewer than make a machine of two cores late with the answers that it waits for.
 */
const RATE = 3;
/** One delivery in this many goes to a port without TLS. */
const SECURE_EVERY = 12;
/**
 * The queue and a busy machine may be this late with an attempt; and as late again with one whose function was killed.
 */
const LATE_MS = 60_000;
const LOOK_MS = 500;
const BYSTANDER_EVERY_MS = 400;
/** Were all functions busy with silent receivers at once, the first would be free after their timeout. */
const BYSTANDER_MS = limits.webhook_timeout_ms + LATE_MS;
/** A machine that is too slow for more of them than this share proves nothing. */
const SLOW_SHARE = 0.1;
const quick = [{ kind: 'inject_context', params: { text: 'x' } }];

type Figures = Readonly<Record<'deliveries' | 'attempts' | 'seed', number>>;

function planned({ seed }: Figures, n: number): Planned {
  const chance = random(seed, n);
  const first = behaviours[n % behaviours.length] ?? chance.pick(behaviours);
  const script = [first, chance.pick(behaviours), chance.pick(behaviours)];
  return { secure: n % SECURE_EVERY === SECURE_EVERY - 1, script };
}

async function deliveryOf(home: Home, runId: string): Promise<Delivery | undefined> {
  const { body } = await patiently(() => call('GET', `/runs/${runId}/webhook-deliveries`, { ...home }));
  return body.data[0];
}

async function createWith(home: Home, callback_url: string): Promise<string> {
  const headers = { 'Idempotency-Key': callback_url };
  const { status, body } = await patiently(() => when.createsPlanRun(home, quick, { callback_url }, headers));
  if (status !== 202 && status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/**
 * Another tenant's deliveries to a good receiver, one after the other, until the signal; ms from the end of each run to
 * its POST.
 */
async function bystand(service: ProvedService, signal: AbortSignal): Promise<number[]> {
  const home = await newHome(service, { max_concurrent_runs: 1000 });
  const [good] = behaviours;
  if (!good) throw new Error('no behaviour');
  const receiver = await hostileReceiver(() => good);
  let created = 0;
  const posts = () => Array.from({ length: created }, (_, n) => receiver.posts(n)[0]);
  try {
    while (!signal.aborted) {
      await createWith(home, receiver.url(created, false));
      created += 1;
      await wait(BYSTANDER_EVERY_MS);
    }
    for (const end = Date.now() + BYSTANDER_MS; Date.now() < end && posts().includes(undefined); )
      await wait(LOOK_MS);
  } finally {
    receiver.close();
  }
  return posts().map((post) =>
    post ? post.at - JSON.parse(post.body).data.completed_at : Number.POSITIVE_INFINITY,
  );
}

/** Waits until the delivery has ended, or has had the attempts that are waited for. */
async function settled(home: Home, id: string, { attempts }: Figures): Promise<Delivery | undefined> {
  const pauses = limits.webhook_retry_delays_seconds.slice(0, attempts - 1);
  const all = 1000 * pauses.reduce((a, b) => a + b, 0) + attempts * (limits.webhook_timeout_ms + 2 * LATE_MS);
  for (const end = Date.now() + all; ; await wait(LOOK_MS)) {
    const delivery = await deliveryOf(home, id);
    const over = delivery && (delivery.status !== 'pending' || delivery.attempts.length >= attempts);
    if (over || Date.now() > end) return delivery;
  }
}

/** Lets `deliveries` runs be reported to receivers of every kind, and waits for `attempts` attempts of each. */
export async function abuseDeliveries(service: ProvedService, figures: Figures): Promise<Findings> {
  const { deliveries, attempts } = figures;
  const plans = Array.from({ length: deliveries }, (_, n) => planned(figures, n));
  const home = await newHome(service, { max_concurrent_runs: deliveries });
  const receiver = await hostileReceiver((n, k) => plans[n]?.script[k] ?? unexpected);
  const breaches: string[] = [];
  const over = new AbortController();
  const bystander = bystand(service, over.signal).catch((error: unknown) => {
    breaches.push(`the bystander: ${error}`);
    return [];
  });
  const found: Record<string, number> = {};
  const slowness: Slowness = { slow: 0, repeated: 0 };
  const judge = async (n: number, plan: Planned, id: string) => {
    const delivery = await settled(home, id, figures);
    if (!delivery) throw new Error('it does not exist');
    const is = `${delivery.status} ${delivery.attempts.length}`;
    found[is] = (found[is] ?? 0) + 1;
    const faults = faultsOf({ plan, delivery, posts: receiver.posts(n), key: home.key }, slowness);
    if (delivery.status === 'pending' && delivery.attempts.length < attempts) faults.push(`still ${is}`);
    return faults;
  };
  const ids = plans.map(({ secure }, n) =>
    wait((1000 * n) / RATE)
      .then(() => createWith(home, receiver.url(n, secure)))
      .catch((error: unknown) => ({ error })),
  );
  await inParallel(READ_AT_ONCE, deliveries, async (n) => {
    const plan = plans[n] ?? { secure: false, script: [] };
    const id = await ids[n];
    const faults =
      typeof id === 'string' ? await judge(n, plan, id).catch((error) => [String(error)]) : [`${id?.error}`];
    const names = plan.secure ? 'no TLS' : plan.script.map(({ name }) => name).join(', ');
    breaches.push(...faults.map((what) => `delivery ${n} (${names}): ${what}`));
  });
  over.abort();
  const late = await bystander;
  receiver.close();
  const worst_ms = Math.max(...late);
  if (worst_ms > BYSTANDER_MS) breaches.push(`a bystander's delivery came after ${worst_ms} ms`);
  if (slowness.slow + slowness.repeated > SLOW_SHARE * deliveries)
    breaches.push(`the machine was too slow: ${JSON.stringify(slowness)}`);
  const waited = { deliveries: late.length, p99_ms: percentile(late, 99), worst_ms };
  return { breaches, found, ...slowness, bystander: waited };
}
