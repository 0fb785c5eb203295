// The cloud around the code in a simulation: functions that are invoked again and twice, executions, the queue, the
// minute job and the keys.
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  ExecutionAlreadyExists,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { type ExecutionKey, RunKey } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import { executeSlice, type NextAction, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import { sendClosed } from '#domain/jobs/closed-jobs.ts';
import { type FireSetting, fireDue } from '#domain/monitors/fire.ts';
import { enqueueCompactions } from '#domain/recovery/enqueue-compactions.ts';
import { claimNotices, enqueueFires } from '#domain/recovery/enqueue-fires.ts';
import { sum } from '#domain/recovery/repair-due.ts';
import { resendOverdueDeliveries } from '#domain/recovery/resend-overdue-deliveries.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { DeliveryMessage, JobMessage } from '#orchestration/delivery-queue.ts';
import { FireMessage } from '#orchestration/fire-queue.ts';
import type { Send } from '#outbound/request.ts';
import { exposed, type FaultPlan, inProcess } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import type { Scheduler } from './scheduler.ts';
import { openedSeal } from './seals.ts';

/** The result of an invocation: it answered, failed, died, or another did the same work. */
type Outcome = 'counted' | 'refused' | 'died';

interface Execution {
  state: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  startDate: Date;
}

export interface Cloud {
  scheduler: Scheduler;
  chance: Random;
  /** The faults of each new process. */
  faultPlan(): FaultPlan;
  /** No fault comes any more, and nothing comes twice. */
  quiet: boolean;
  setting: SliceSetting;
  post: Send;
  outcomes: Map<number, Outcome>;
  /** Invocations that another one may have taken the run from. */
  mayHaveLostLease: Set<number>;
  executions: Map<string, Execution>;
  tokens: Map<string, () => void>;
  /** Messages of the delivery queue that are not deleted. */
  messages: number;
  /** Events whose webhook an invocation may have posted without a word of it: it failed or died. */
  unrecorded: string[];
  /** Breaches that were seen while they happened. */
  seen: string[];
  /** What happened, other than faults. */
  fired: Record<string, number>;
}

export const VISIBILITY_MS = 120_000;
export const MAX_RECEIVES = 5;
export const SWEEP_MS = 60_000;
export const PARK_MS = 3600_000;
const states = mockClient(SFNClient);
const queue = mockClient(SQSClient);
const kms = mockClient(KMSClient);
const secrets = mockClient(SecretsManagerClient);
const metadata = { message: 'gone', $metadata: {} };

/** One in this many invocations is duplicated. */
const TWICE = 10;

export const note = (cloud: Cloud, what: string, times = 1) => {
  cloud.fired[what] = (cloud.fired[what] ?? 0) + times;
};

/** Invokes a function once. Throws what it throws, and when it dies. */
export async function invoke<T>(
  cloud: Cloud,
  tenant: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const id = cloud.outcomes.size + 1;
  cloud.outcomes.set(id, 'died');
  const result = await inProcess({ id, tenant, faultPlan: cloud.faultPlan() }, work);
  if (result.died) throw new Error('Runtime.ExitError');
  cloud.outcomes.set(id, 'counted');
  return result.value;
}

/** Invokes it as at-least-once services do: now and then it comes twice. */
async function atLeastOnce<T>(
  cloud: Cloud,
  tenant: string,
  work: () => Promise<T>,
  failed: () => unknown = () => undefined,
): Promise<T> {
  const once = () =>
    invoke(cloud, tenant, work).catch((error: unknown) => {
      failed();
      throw error;
    });
  if (cloud.quiet || !cloud.chance.oneIn(TWICE)) return once();
  note(cloud, 'twice');
  const first = cloud.outcomes.size + 1;
  const results = await Promise.allSettled([
    once(),
    cloud.scheduler.sleep(cloud.chance.below(2) * cloud.chance.below(3000)).then(once),
  ]);
  for (const id of cloud.outcomes.keys()) if (id >= first) cloud.mayHaveLostLease.add(id);
  const [result] = results;
  if (result?.status !== 'fulfilled') throw result?.reason;
  return result.value;
}

/** A task of the state machine: tried again three times, by its Retry. */
async function task<T>(cloud: Cloud, tenant: string, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await atLeastOnce(cloud, tenant, work);
    } catch (error) {
      if (failures === 3) throw error;
      await cloud.scheduler.sleep(2000 * 3 ** failures);
    }
  }
}

async function execute(cloud: Cloud, name: string, key: RunKey): Promise<void> {
  const { workspace_id } = key;
  const asked = { ...key, execution: name };
  let state: Execution['state'] = 'FAILED';
  try {
    for (let next: NextAction = 'continue'; next !== 'end'; ) {
      if (typeof next === 'object') await park(cloud, asked, next);
      next = await task(cloud, workspace_id, () => executeSlice(asked, cloud.setting));
    }
    state = 'SUCCEEDED';
  } catch {
    note(cloud, 'given_up');
    await task(cloud, workspace_id, () => failRun(asked, 'died')).catch(() => undefined);
  }
  cloud.executions.set(name, { state, startDate: new Date(Date.now()) });
}

async function park(
  cloud: Cloud,
  key: ExecutionKey,
  { reason, until = Number.POSITIVE_INFINITY }: Waiting,
): Promise<void> {
  note(cloud, `waits ${reason}`);
  const token = `token ${cloud.tokens.size} ${key.run_id}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  cloud.tokens.set(token, resolve);
  const wait_ms = Math.min(until - Date.now(), PARK_MS);
  await task(cloud, key.workspace_id, () => parkRun(key, token, wait_ms / 1000));
  await Promise.race([promise, cloud.scheduler.sleep(wait_ms)]);
  cloud.tokens.delete(token);
}

/** One attempt to deliver a message of the queue. */
function attemptOf(cloud: Cloud, body: unknown): () => Promise<string> {
  const { data: closed } = JobMessage.safeParse(body);
  if (closed)
    return () => atLeastOnce(cloud, closed.workspace_id, () => sendClosed(closed).then(() => 'done'));
  const message = DeliveryMessage.parse(body);
  return () =>
    atLeastOnce(
      cloud,
      message.workspace_id,
      () => deliverAttempt(message, cloud.post),
      () => cloud.unrecorded.push(message.event_id),
    );
}

async function deliver(cloud: Cloud, body: string, delaySeconds: number): Promise<void> {
  cloud.messages += 1;
  await cloud.scheduler.sleep(delaySeconds * 1000);
  const attempt = attemptOf(cloud, JSON.parse(body));
  for (let receives = 0; receives < MAX_RECEIVES; receives += 1) {
    if ((await attempt().catch(() => 'failed')) === 'done') break;
    await cloud.scheduler.sleep(VISIBILITY_MS);
  }
  cloud.messages -= 1;
}

/** What fires of monitors need. */
export const fireSetting = ({ setting: { model, prices } }: Cloud): FireSetting => ({
  model: { model, prices },
  check: (schema, value) => schema.parse(value),
});

async function fire(cloud: Cloud, body: string, delaySeconds: number): Promise<void> {
  cloud.messages += 1;
  await cloud.scheduler.sleep(delaySeconds * 1000);
  const message = FireMessage.parse(JSON.parse(body));
  // What fails is due until the sweep asks again.
  const work = () => fireDue(message, fireSetting(cloud));
  await atLeastOnce(cloud, message.workspace_id, work).catch(() => undefined);
  cloud.messages -= 1;
}

/** The minute job, once. */
function sweep(cloud: Cloud): Promise<unknown> {
  return invoke(cloud, undefined, async () => {
    const time = sweepTime(Date.now());
    const all = await Promise.all(
      [
        ...[sweepRuns, resendOverdueDeliveries, sweepSlots, enqueueCompactions],
        ...[enqueueFires, claimNotices],
      ].map((act) => act(time)),
    );
    const { logs_checked, logs_illegal } = sum(all);
    if (logs_checked > 0) note(cloud, 'logs_checked', logs_checked);
    if (logs_illegal > 0) cloud.seen.push('the sweep finds a log that is illegal');
  }).catch(() => undefined);
}

/** The minute job until `over`. */
export async function sweepEveryMinute(cloud: Cloud, over: () => boolean): Promise<void> {
  while (!over()) {
    await cloud.scheduler.sleep(SWEEP_MS);
    await sweep(cloud);
  }
}

let open: Cloud | undefined;

/** Lets the clients of this process work in the cloud. */
export function openCloud(cloud: Cloud): void {
  for (const client of [states, queue, kms, secrets]) client.resetHistory();
  open = cloud;
}

function call<T>(
  service: 'states' | 'queue' | 'keys',
  command: string,
  input: object,
  act: (cloud: Cloud) => T,
): Promise<T> {
  return exposed({ service, command, input }, async () => {
    if (!open) throw new Error('no cloud is open');
    await open.scheduler.turn();
    return act(open);
  });
}

// Answered by one function for all histories: sinon never lets go of a function, nor of the history that it closes over.
states.on(StartExecutionCommand).callsFake((input) =>
  call('states', 'StartExecution', input, (cloud) => {
    const known = cloud.executions.get(input.name);
    if (known && known.state !== 'RUNNING') throw new ExecutionAlreadyExists(metadata);
    const startDate = known?.startDate ?? new Date(Date.now());
    if (!known) {
      cloud.executions.set(input.name, { state: 'RUNNING', startDate });
      void execute(cloud, input.name, RunKey.parse(JSON.parse(input.input)));
    }
    return { startDate };
  }),
);
states.on(SendTaskSuccessCommand).callsFake((input) =>
  call('states', 'SendTaskSuccess', input, (cloud) => {
    const wake = cloud.tokens.get(input.taskToken);
    if (!wake) throw new TaskTimedOut(metadata);
    wake();
    return {};
  }),
);
queue.on(SendMessageCommand).callsFake((input) =>
  call('queue', 'SendMessage', input, (cloud) => {
    if (input.QueueUrl === process.env.DELIVERY_QUEUE_URL)
      void deliver(cloud, input.MessageBody, input.DelaySeconds ?? 0);
    if (input.QueueUrl === process.env.FIRE_QUEUE_URL)
      void fire(cloud, input.MessageBody, input.DelaySeconds ?? 0);
    return {};
  }),
);
kms
  .on(DecryptCommand)
  .callsFake((input) =>
    call('keys', 'Decrypt', input, () => ({ Plaintext: openedSeal(input.CiphertextBlob) })),
  );
// A process reads it once, so it comes from no fault.
secrets.on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
