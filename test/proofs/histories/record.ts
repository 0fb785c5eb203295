// Records histories of one service that is killed at random moments of each.
import { setTimeout as wait } from 'node:timers/promises';
import { receiveWebhooks } from '../chaos/receiver.ts';
import { type ServiceProcess, serviceProcess } from '../chaos/service-process.ts';
import { strike, type Victim, victims } from '../chaos/strike.ts';
import { type Random, random } from '../random.ts';
import { type Lived, liveThrough, type Plan, readAtTheEnd } from './clients.ts';
import { createRecorder, type Operation, type Recorder } from './recorder.ts';

export interface Trial {
  histories: number;
  seed: number;
  /** Of each client. */
  operations?: number;
}

export interface Recorded {
  histories: Operation[][];
  operations: Record<string, Record<Operation['outcome'], number>>;
  killed: Record<Victim, number>;
  /** Runs that did not end. */
  breaches: string[];
}

const CLIENTS = 16;
const OPERATIONS = 12;
const KEYS = 8;
const KILLS = 2;
const MOMENT_MS = 500;
/** A run whose execution was not started is left to the sweep, which waits until its creator must be dead. */
const ENDS_WITHIN_MS = 5 * 60_000;

interface Past {
  plan: Plan;
  lived: Lived;
  recorder: Recorder;
}

/** Records them on a service of the campaign. `assembly` is the one to start from, if there is one. */
export async function recordHistories(
  { histories, seed, operations = OPERATIONS }: Trial,
  assembly?: string,
): Promise<Recorded> {
  let recorder = createRecorder();
  const service = serviceProcess({
    flags: ['--allow-local-callbacks'],
    watch: (asked, send) => recorder.watch(asked, send),
    ...(assembly !== undefined && { assembly }),
  });
  const receiver = await receiveWebhooks();
  const killed = { service: 0, worker: 0, handles: 0 };
  const breaches: string[] = [];
  const pasts: Past[] = [];
  try {
    await service.start();
    await service.admin('workspace', 'update', service.workspaceId(), '--max-concurrent-runs', '500');
    for (let number = 0; number < histories; number += 1) {
      recorder = createRecorder();
      const plan = {
        ...{ seed, number, callback_url: receiver.url },
        ...{ clients: CLIENTS, operations, keys: KEYS },
      };
      const living = liveThrough(service.ask, plan);
      const chance = random(seed, -1 - number);
      await killSome(service, chance, number, killed);
      pasts.push({ plan, lived: await living, recorder });
    }
    for (const { plan, lived, recorder: past } of pasts) {
      recorder = past;
      const open = await readAtTheEnd(service.ask, plan, lived, ENDS_WITHIN_MS);
      breaches.push(...open.map((run) => `history ${plan.number}: run ${run} did not end`));
    }
    return {
      histories: pasts.map((past) => past.recorder.operations),
      operations: counted(pasts),
      killed,
      breaches,
    };
  } finally {
    receiver.close();
    await service.remove();
  }
}

async function killSome(
  service: ServiceProcess,
  chance: Random,
  number: number,
  killed: Record<Victim, number>,
): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait(chance.below(MOMENT_MS));
    const victim = victims[(number * KILLS + kill) % victims.length] ?? 'service';
    killed[victim] += 1;
    await strike(service, victim);
  }
}

function counted(pasts: readonly Past[]): Recorded['operations'] {
  const counts: Recorded['operations'] = {};
  for (const { recorder } of pasts)
    for (const { kind, outcome } of recorder.operations) {
      const ofKind = counts[kind] ?? { ok: 0, fail: 0, unknown: 0 };
      counts[kind] = { ...ofKind, [outcome]: ofKind[outcome] + 1 };
    }
  return counts;
}
