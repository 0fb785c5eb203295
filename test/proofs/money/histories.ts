// Many random histories, each judged by the oracle.

import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { limits } from '#contract/limits.ts';
import type { Send } from '#outbound/request.ts';
import { log } from '#platform/log.ts';
import * as runList from '#store/runs/run-list.ts';
import { getMany } from '#store/runs/runs.ts';
import { jobClaims } from '../sim/job-claims.ts';
import { openedSeal } from '../sim/seals.ts';
import { connectWorkers } from '../sim/worker-wire.ts';
import { conclude, live } from './history.ts';
import { faultsOf } from './oracle.ts';
import { type History, nothingHappened, type World, wires } from './world.ts';

export interface Outcome {
  histories: number;
  calls: number;
  failed_calls: number;
  happenings: History['done'];
  /** What was not as it must be, with the seed that shows it. */
  faults: string[];
}

const AT_ONCE = 20;
/** Models are away, and runs wait, for moments. */
const FASTER = 100;
/** Longer than a claim without a run is left alone, and than a dead probe is. */
const JUMP_MS = 3 * 60_000;

/**
 * Lives through `count` histories, seeds from `firstSeed` on, in the table of this process; `fresh` comes before each
 * twenty of them.
 */
export async function liveThrough(
  count: number,
  firstSeed: number,
  fresh: () => void = () => undefined,
): Promise<Outcome> {
  const nothing = () => {};
  Object.assign(log, { info: nothing, warn: nothing, error: nothing });
  Object.assign(process.env, {
    STATE_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:Runs',
    SITE_URL: 'http://127.0.0.1',
    DELIVERY_QUEUE_URL: 'http://127.0.0.1/queue',
  });
  const clients = [mockClient(SFNClient).resolves({}), mockClient(SQSClient).resolves({})];
  mockClient(KMSClient)
    .on(DecryptCommand)
    .callsFake(({ CiphertextBlob }) => ({ Plaintext: openedSeal(CiphertextBlob) }));
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
  connectWorkers((request) => wireOf(request.url)(request));
  Reflect.set(limits, 'model_retry_delays_ms', [1, 1]);
  const { setTimeout, setInterval } = globalThis;
  const real = { now: Date.now, setTimeout, setInterval };
  const begun = real.now();
  const outcome: Outcome = {
    histories: 0,
    calls: 0,
    failed_calls: 0,
    happenings: nothingHappened(),
    faults: [],
  };
  try {
    let jumped = 0;
    Date.now = () => begun + (real.now() - begun) * FASTER + jumped;
    for (const timer of ['setTimeout', 'setInterval'] as const)
      Reflect.set(globalThis, timer, (ring: () => void, ms = 0) => real[timer](ring, ms / FASTER));
    for (let done = 0; done < count; done += AT_ONCE) {
      fresh();
      wires.clear();
      for (const client of clients) client.resetHistory();
      const seeds = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, i) => firstSeed + done + i);
      const scenes = await Promise.all(seeds.map(live));
      jumped += JUMP_MS;
      for (const phase of ['open', 'concluded']) {
        if (phase === 'concluded') await Promise.all(scenes.map(conclude));
        const faults = await Promise.all(scenes.flatMap((world) => [faultsOf(world), jobFaults(world)]));
        outcome.faults.push(...faults.flat().map((fault) => `${phase}: ${fault}`));
      }
      for (const world of scenes) add(outcome, world);
    }
  } finally {
    Date.now = real.now;
    Object.assign(globalThis, { setTimeout, setInterval });
  }
  return outcome;
}

function add(outcome: Outcome, { model, done }: History): void {
  outcome.histories += 1;
  outcome.calls += model.calls.length;
  outcome.failed_calls += model.failed;
  const { happenings } = outcome;
  happenings.created += done.created;
  happenings.refused += done.refused;
  happenings.crashes += done.crashes;
  happenings.cancels += done.cancels;
  happenings.resumes += done.resumes;
  happenings.reruns += done.reruns;
  happenings.takeovers += done.takeovers;
  happenings.given_up += done.given_up;
  happenings.waits += done.waits;
  happenings.jobs += done.jobs;
  happenings.messages += done.messages;
}

/** What workers of the workspace are sent that ends the address. */
function wireOf(url: string): Send {
  const wire = wires.get(url.slice(url.lastIndexOf('/') + 1));
  if (!wire) throw new Error(`no one takes jobs at ${url}`);
  return wire;
}

/** What is wrong with the jobs of a history, and with what its workers were answered. */
async function jobFaults({ seed, workspace_id, workers, unanswered }: World): Promise<string[]> {
  const { listed } = await runList.page(workspace_id, { limit: 100 });
  const runs = await getMany(
    workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const claims = (await Promise.all(runs.map((run) => jobClaims(workers, run)))).flat();
  const broken = claims.flatMap(([what, holds]) => (holds ? [] : [what]));
  return [...broken, ...unanswered].map((what) => `seed ${seed}: ${what}`);
}
