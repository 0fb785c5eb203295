// One simulated history: clients, operators and the cloud do their work under faults, then there is peace, and
// everything must have come right.
import { limits } from '#contract/limits.ts';
import {
  cancels,
  creates,
  deletes,
  endsMaintenance,
  grants,
  imports,
  type Knowledge,
  maintains,
  type Operation,
  redelivers,
  reruns,
  resumes,
  syncs,
} from './clients.ts';
import { sweepEveryMinute } from './cloud.ts';
import { breachesOf } from './invariants.ts';
import { createsMonitor, deletesMonitor, firesMonitor, pauseAll } from './monitors.ts';
import { type Scene, setScene, type Trouble } from './scene.ts';
import { syncModel } from './sync-model.ts';

export interface Told {
  breaches: string[];
  fired: Record<string, number>;
  wanted: number;
  useful: number;
  table_calls: number;
  /** How many commits were replayed through the legal transitions. */
  commits: number;
}

const CLIENTS = 3;
const OPERATIONS = 5;
/** So long after the last operation everything must be over, in virtual time. */
const AFTERMATH_MS = 6 * 3600_000;
const operations: Operation[] = [
  ...[creates, creates, creates, creates, cancels, resumes, resumes, reruns, redelivers, deletes],
  ...[maintains, grants, syncs, syncs, syncs, imports],
  ...[createsMonitor, createsMonitor, firesMonitor, deletesMonitor],
];

Reflect.set(limits, 'model_retry_delays_ms', [200, 400]);

async function client(scene: Scene, known: Knowledge): Promise<void> {
  for (let i = 0; i < OPERATIONS; i += 1) {
    await scene.scheduler.sleep(scene.chance.below(5000));
    const operation = i === 0 ? creates : scene.chance.pick(operations);
    await operation(scene, known);
  }
}

/** Whether nothing is under way and nothing is due but compactions, which others do. */
function isQuiet({ executions, messages, table }: Scene): boolean {
  const running = [...executions.values()].some(({ state }) => state === 'RUNNING');
  return (
    !running &&
    messages === 0 &&
    !table.items().some(({ due_pk }) => /^(RUN|DELIVERY|MONITOR|MARK)/.test(String(due_pk)))
  );
}

async function happens(scene: Scene & { peace: boolean }, known: Knowledge): Promise<string[]> {
  void sweepEveryMinute(scene, () => scene.peace);
  await Promise.all(Array.from({ length: CLIENTS }, () => client(scene, known)));
  return finish(scene, known);
}

/** Ends all faults and runs until nothing is left to do; returns whether that succeeded. */
export async function finish(scene: Scene & { peace: boolean }, known: Knowledge): Promise<string[]> {
  let over = false;
  const sweeping = sweepEveryMinute(scene, () => over);
  scene.peace = true;
  await endsMaintenance(scene, known);
  await pauseAll(scene, known);
  const end = Date.now() + AFTERMATH_MS;
  while (!isQuiet(scene) && Date.now() < end) await scene.scheduler.sleep(60_000);
  // Claims without a run are left alone for two minutes.
  await scene.scheduler.sleep(5 * 60_000);
  over = true;
  await sweeping;
  return isQuiet(scene) ? [] : [`seed ${scene.seed}: it never came to rest`];
}

/** What clients know in the beginning: nothing. */
export const newKnowledge = (): Knowledge => ({
  runOfKey: new Map(),
  deleted: new Map(),
  synced: syncModel(),
  monitors: [],
  ...{ wanted: 0, useful: 0, granted: 0 },
});

/** Plays the history of a seed, and returns its breaches. */
export async function tell(seed: number, trouble: Trouble): Promise<Told> {
  const known = newKnowledge();
  const scene = await setScene(seed, trouble);
  let breaches: string[];
  try {
    const restless = await scene.scheduler.run(() => happens(scene, known));
    breaches = [...restless, ...(await scene.scheduler.run(() => breachesOf(scene, known)))];
  } catch (error) {
    breaches = [`seed ${seed}: ${error instanceof Error ? error.stack : error}`];
  } finally {
    scene.stop();
  }
  const { fired, table_calls, trace } = scene;
  const { commits } = trace;
  return { breaches, fired, wanted: known.wanted, useful: known.useful, table_calls, commits };
}
