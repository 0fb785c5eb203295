// Deliveries to receivers that hang, reset, drip, lie and flood: each attempt is classed right, and other tenants' deliveries go on.
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { limits } from '../../functions/contract/limits.ts';
import type { Delivery } from '../../functions/contract/webhooks.ts';
import { sha256Hex } from '../../functions/platform/crypto.ts';
import { percentile } from '../bench/figures.ts';
import { random } from '../fuzz/random.ts';
import type { Home } from '../support/given.ts';
import { call } from '../support/service.ts';
import * as when from '../support/when.ts';
import { type Behaviour, behaviours, type HostileReceiver, hostileReceiver } from './hostile-receiver.ts';
import type { Findings } from './proof.ts';
import { newHome, type ProvedService } from './proved-service.ts';
import { inParallel } from './work.ts';

const CREATES_AT_ONCE = 8;
/** One delivery in so many goes to a port that speaks no TLS. */
const SECURE_EVERY = 12;
/** The queue and a busy machine may be this late with an attempt. */
const LATE_MS = 30_000;
const LOOK_MS = 500;
const BYSTANDER_EVERY_MS = 400;
/** Were all functions busy with silent receivers at once, the first would be free after their timeout. */
const BYSTANDER_MS = limits.webhook_timeout_ms;
const quick = [{ kind: 'inject_context', params: { text: 'x' } }];

type Figures = Readonly<Record<'deliveries' | 'attempts' | 'seed', number>>;

/** One delivery: what each of its attempts meets, and what must come of it within the attempts that are waited for. */
interface Planned {
  secure: boolean;
  script: Behaviour[];
  due: Delivery['status'];
  attempts: number;
}

function planned({ attempts, seed }: Figures, n: number): Planned {
  const chance = random(seed, n);
  const first = behaviours[n % behaviours.length] ?? chance.pick(behaviours);
  const script = [first, chance.pick(behaviours), chance.pick(behaviours)];
  const secure = n % SECURE_EVERY === SECURE_EVERY - 1;
  for (let made = 1; made <= attempts; made += 1) {
    const means = secure ? 'retry' : script[made - 1]?.means;
    if (means !== 'retry') return { secure, script, due: means ?? 'failed', attempts: made };
  }
  return { secure, script, due: attempts < limits.webhook_attempts ? 'pending' : 'failed', attempts };
}

/** What is wrong with the posts of a delivery: their number, their signatures, their moments. */
function faultsOfPosts(
  { secure, attempts }: Planned,
  posts: ReturnType<HostileReceiver['posts']>,
  key: string,
): string[] {
  const faults: string[] = [];
  if (posts.length !== (secure ? 0 : attempts)) faults.push(`${posts.length} posts`);
  if (new Set(posts.map(({ headers }) => headers['x-service-event-id'])).size > 1)
    faults.push('two event ids');
  const verifier = new Webhook(`whsec_${Buffer.from(sha256Hex(key)).toString('base64')}`);
  for (const [k, { at, body, headers }] of posts.entries()) {
    try {
      verifier.verify(body, headers);
    } catch (error) {
      // The verifier counts the age of a post from now, which is long after it came.
      if (!String(error).includes('too old')) faults.push(`post ${k + 1}: ${error}`);
    }
    const pause = at - (posts[k - 1]?.at ?? at);
    const due = (limits.webhook_retry_delays_seconds[k - 1] ?? 0) * 1000;
    if (k > 0 && pause < due) faults.push(`post ${k + 1} after ${pause} ms`);
  }
  return faults;
}

async function deliveryOf(home: Home, runId: string): Promise<Delivery | undefined> {
  const { body } = await call('GET', `/runs/${runId}/webhook-deliveries`, { ...home });
  return body.data[0];
}

async function createWith(home: Home, callback_url: string): Promise<string> {
  const { status, body } = await when.createsPlanRun(home, quick, { callback_url });
  if (status !== 202) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Another tenant's deliveries to a good receiver, one after the other, until the signal; ms from the end of each run to its POST. */
async function bystand(service: ProvedService, signal: AbortSignal): Promise<number[]> {
  const home = await newHome(service, { max_concurrent_runs: 1000 });
  const [good] = behaviours;
  if (!good) throw new Error('no behaviour');
  const receiver = await hostileReceiver(() => good);
  let created = 0;
  while (!signal.aborted) {
    await createWith(home, receiver.url(created, false));
    created += 1;
    await wait(BYSTANDER_EVERY_MS);
  }
  const posts = () => Array.from({ length: created }, (_, n) => receiver.posts(n)[0]);
  for (const end = Date.now() + LATE_MS; Date.now() < end && posts().includes(undefined); )
    await wait(LOOK_MS);
  const late = posts().map((post) => (post ? post.at - JSON.parse(post.body).data.completed_at : LATE_MS));
  receiver.close();
  return late;
}

/** Lets `deliveries` runs be reported to receivers of every kind, and waits for `attempts` attempts of each. */
export async function abuseDeliveries(service: ProvedService, figures: Figures): Promise<Findings> {
  const { deliveries, attempts } = figures;
  const plans = Array.from({ length: deliveries }, (_, n) => planned(figures, n));
  const home = await newHome(service, { max_concurrent_runs: deliveries });
  const receiver = await hostileReceiver((n, k) => plans[n]?.script[k] ?? unexpected);
  const over = new AbortController();
  const bystander = bystand(service, over.signal);
  const ids: string[] = [];
  await inParallel(CREATES_AT_ONCE, deliveries, async (n) => {
    ids[n] = await createWith(home, receiver.url(n, plans[n]?.secure === true));
  });
  const pauses = limits.webhook_retry_delays_seconds.slice(0, attempts - 1);
  const end =
    Date.now() + attempts * (limits.webhook_timeout_ms + LATE_MS) + 1000 * pauses.reduce((a, b) => a + b, 0);
  const breaches: string[] = [];
  const found: Record<string, number> = {};
  await inParallel(CREATES_AT_ONCE, deliveries, async (n) => {
    const plan = plans[n];
    if (!plan) return;
    const due = `${plan.due} ${plan.attempts}`;
    let is = '';
    do {
      const delivery = await deliveryOf(home, ids[n] ?? '');
      is = `${delivery?.status} ${delivery?.attempts.length}`;
    } while (is !== due && Date.now() < end && (await wait(LOOK_MS, true)));
    found[is] = (found[is] ?? 0) + 1;
    const names = plan.secure ? 'no TLS' : plan.script.map(({ name }) => name).join(', ');
    const faults = faultsOfPosts(plan, receiver.posts(n), home.key);
    if (is !== due) faults.push(`is ${is} instead of ${due}`);
    breaches.push(...faults.map((what) => `delivery ${n} (${names}): ${what}`));
  });
  over.abort();
  const late = await bystander;
  receiver.close();
  const worst_ms = Math.max(...late);
  if (worst_ms > BYSTANDER_MS) breaches.push(`a bystander's delivery came after ${worst_ms} ms`);
  return { breaches, found, bystander: { deliveries: late.length, p99_ms: percentile(late, 99), worst_ms } };
}

/** An attempt that must not be made. */
const unexpected: Behaviour = {
  name: 'unexpected',
  means: 'failed',
  answer: (socket) => void socket.destroy(),
};
