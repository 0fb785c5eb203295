// Invariants of a webhook's attempts and posts, by the receiver of each post.
import { Webhook } from 'standardwebhooks';
import { limits } from '../../../functions/contract/limits.ts';
import type { Delivery } from '../../../functions/contract/webhooks.ts';
import { sha256Hex } from '../../../functions/platform/crypto.ts';
import type { Behaviour, HostileReceiver } from './hostile-receiver.ts';

/** So long the attempt of a function that died is left alone; then it is made again. */
const LEASE_MS = 30_000;

type Post = ReturnType<HostileReceiver['posts']>[number];
type Attempt = Delivery['attempts'][number];

/** One delivery: what each of its posts meets. */
export interface Planned {
  secure: boolean;
  script: Behaviour[];
}

/**
 * Effects of a slow machine on a delivery's attempts: replies in time that were not read in time, and posts of killed
 * functions.
 */
export interface Slowness {
  slow: number;
  repeated: number;
}

const isTimeout = ({ error, duration_ms }: Attempt) =>
  error === 'timeout' && duration_ms >= limits.webhook_timeout_ms;

/** Each post contains the second in which its attempt began. */
const isOf = (attempt: Attempt) => (post: Post) =>
  Number(post.headers['webhook-timestamp']) === Math.floor(attempt.at / 1000);

/** The verdict that each attempt must have had, by what its post met. */
function meanings({ secure, script }: Planned, attempts: Attempt[], posts: Post[], slowness: Slowness) {
  return attempts.map((attempt) => {
    const k = posts.findIndex(isOf(attempt));
    const means = secure || k < 0 ? 'retry' : (script[k] ?? unexpected).means;
    // A machine that is slow enough takes any answer for a silence.
    if (means === 'retry' || !isTimeout(attempt)) return means;
    slowness.slow += 1;
    return 'retry';
  });
}

/** A delivery that has ended, and all that is known of it; `key` is the API key that signs it. */
interface Told {
  plan: Planned;
  delivery: Delivery;
  posts: Post[];
  key: string;
}

/** The faults of a delivery; effects of the machine are added to `slowness`. */
export function faultsOf(told: Told, slowness: Slowness): string[] {
  return [...faultsOfAttempts(told, slowness), ...faultsOfPosts(told, slowness)];
}

/** What is wrong with its attempts: their verdicts, their number, their moments. */
function faultsOfAttempts({ plan, delivery, posts }: Told, slowness: Slowness): string[] {
  const { attempts, status } = delivery;
  const faults: string[] = [];
  const means = meanings(plan, attempts, posts, slowness);
  const end = means.findIndex((one) => one !== 'retry') + 1;
  const due = end > 0 ? means[end - 1] : attempts.length < limits.webhook_attempts ? 'pending' : 'failed';
  if (status !== due || (end > 0 && end !== attempts.length))
    faults.push(`is ${status} ${attempts.length} though its attempts mean ${means}`);
  for (const [k, attempt] of attempts.entries()) {
    const before = attempts[k - 1];
    const wait_ms = 1000 * (limits.webhook_retry_delays_seconds[k - 1] ?? 0);
    const pause = before && attempt.at - before.at - before.duration_ms;
    if (pause !== undefined && pause < wait_ms) faults.push(`attempt ${k + 1} after ${pause} ms`);
    const reached = attempt.status_code !== undefined;
    if (reached && !posts.some(isOf(attempt))) faults.push(`attempt ${k + 1} was never posted`);
  }
  return faults;
}

/** The faults of its posts: signatures, and posts besides the attempts that the lease does not explain. */
function faultsOfPosts({ plan, delivery, posts, key }: Told, slowness: Slowness): string[] {
  const faults: string[] = [];
  if (plan.secure && posts.length > 0) faults.push('a post without TLS');
  if (new Set(posts.map(({ headers }) => headers['x-service-event-id'])).size > 1)
    faults.push('two event ids');
  const verifier = new Webhook(`whsec_${Buffer.from(sha256Hex(key)).toString('base64')}`);
  for (const [k, post] of posts.entries()) {
    try {
      verifier.verify(post.body, post.headers);
    } catch (error) {
      // The verifier counts the age of a post from now, which is long after it came.
      if (!String(error).includes('too old')) faults.push(`post ${k + 1}: ${error}`);
    }
    if (delivery.attempts.some((attempt) => isOf(attempt)(post))) continue;
    slowness.repeated += 1;
    const begun = (one: Post) => 1000 * Number(one.headers['webhook-timestamp']);
    const next = posts[k + 1];
    if (next && begun(next) - begun(post) < LEASE_MS)
      faults.push(`post ${k + 2} within the lease of another`);
  }
  return faults;
}

/** An attempt that must not be made, but by one that repeats a dead one. */
export const unexpected: Behaviour = {
  name: 'unexpected',
  means: 'retry',
  answer: (socket) => void socket.destroy(),
};
