// One random history of a workspace: runs that are created, worked on, canceled, resumed and rerun by invocations that
// die now and then.
import { ApiError } from '#contract/errors.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { rerunRun } from '#domain/commands/rerun-run.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { executeSlice, type NextAction } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { pause } from '#platform/pause.ts';
import * as runList from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { getMany } from '#store/runs/runs.ts';
import { Crash, currentProcess, deathAt, inProcess } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { actor } from '../../support/runs.ts';
import { manners } from './outages.ts';
import { PARALLEL_CALLS, type Scene, setScene } from './scene.ts';

/** Short enough that some waits are used up. */
const MODEL_WAIT_SECONDS = 30;
const WAITS_MAX = 3;
/** Longer than a slice waits for the probe of another process. */
const TAKEN_OVER_MS = 5000;

/** Carries out one invocation. False when it died or was refused. */
async function invoked(
  scene: Scene,
  work: () => Promise<unknown>,
  kind: 'client' | 'task' = 'client',
): Promise<boolean> {
  const { chance, fates, done, peace } = scene;
  const id = fates.size + 1;
  fates.set(id, 'died');
  const dies_at = !peace && chance.oneIn(scene.deadly) ? 1 + chance.below(kind === 'task' ? 24 : 10) : 0;
  try {
    const { died } = await inProcess({ id, weather: deathAt(dies_at, chance.oneIn(2)) }, work);
    if (died) done.crashes += 1;
    else fates.set(id, 'counted');
    return !died;
  } catch (error) {
    // Processes of one history share what they know of the models, and so a read of one that has died. This one may
    // then have counted an answer that it could not journal, which its successor asks for again.
    if (error instanceof Crash) {
      scene.usurped.add(id);
      return false;
    }
    if (!(error instanceof ApiError)) throw error;
    fates.set(id, 'refused');
    done.refused += 1;
    return false;
  }
}

function body(chance: Random): unknown {
  if (chance.oneIn(3)) return { input_type: 'query', query: 'Which things are there?' };
  const kinds = [
    { kind: 'transform', title: 'Each', params: { limit: 6 } },
    { kind: 'analyze', title: 'All' },
    { kind: 'filter', title: 'Some' },
  ];
  const steps = Array.from({ length: 1 + chance.below(3) }, (_, i) => ({
    ...chance.pick(kinds),
    instructions: `step ${i}`,
  }));
  const plan = { title: 'Plan', steps: [{ kind: 'fetch', title: 'Fetch' }, ...steps] };
  return { input_type: 'plan', plan };
}

async function creates(scene: Scene): Promise<void> {
  const { caller, model } = scene;
  const checked = checkCreate(body(scene.chance), (schema, value) => schema.parse(value));
  const choice = { model: model.model, prices: model.pricing.prices };
  const request = { caller, request_id: 'request', checked, idempotency: undefined };
  if (await invoked(scene, () => startedRun(createRun(request, choice)))) scene.done.created += 1;
}

/** The work of the state machine on a run: slices until it ends, again after a death, given up after the fourth. */
async function executes(scene: Scene, run_id: string): Promise<void> {
  const { chance, model, workspace_id, done } = scene;
  const place = { workspace_id, run_id };
  const setting = {
    model: model.model,
    prices: model.pricing.prices,
    max_parallel_calls: PARALLEL_CALLS,
    model_wait_seconds: MODEL_WAIT_SECONDS,
    slice_ms: chance.oneIn(3) ? -1 : 60_000,
    steps_per_slice: chance.oneIn(2) ? 1 : undefined,
    sourcesFor: (run: Parameters<typeof sourcesOf>[0]) =>
      sourcesOf(run, async (texts) => texts.map(() => [1])),
  };
  const at: { next: NextAction } = { next: 'continue' };
  const slice = async () => {
    at.next = await executeSlice(place, setting);
  };
  let successor: Promise<unknown> | undefined;
  // A successor may wait for the probe that this call is, as only calls of one process do: the call goes on, too.
  const isTakenOver = () => {
    successor = takesOver(scene, () => executeSlice(place, setting));
    return Promise.race([successor, pause(TAKEN_OVER_MS)]);
  };
  for (let deaths = 0, waits = 0; at.next !== 'end'; ) {
    if (at.next !== 'continue') {
      done.waits += 1;
      waits += 1;
      if (waits > WAITS_MAX && !scene.peace) return;
      await pause((at.next.until ?? 0) - Date.now());
    }
    comeAndGo(scene);
    // What no call of this slice has met is over: the next slice may be another run's.
    model.during = undefined;
    if (!scene.peace && chance.oneIn(8)) model.during = () => cancels(scene, run_id);
    else if (!scene.peace && chance.oneIn(12)) model.during = isTakenOver;
    const survives = await invoked(scene, slice, 'task');
    await successor;
    if (survives) continue;
    deaths += 1;
    // No one is left to retry; the sweep will find the run.
    if (chance.oneIn(3)) return;
    if (deaths < 4) at.next = 'continue';
    else if (await invoked(scene, () => failRun(place, 'died'))) {
      done.given_up += 1;
      return;
    }
  }
}

/** Now and then an endpoint goes away or comes back; in peace all are back. */
function comeAndGo({ chance, model, peace }: Scene): void {
  if (peace) model.away.clear();
  else if (chance.oneIn(4)) {
    const name = chance.pick([...model.model.names]);
    if (!model.away.delete(name)) model.away.set(name, chance.pick(manners));
  }
}

async function cancels(scene: Scene, runId: string): Promise<void> {
  if (await invoked(scene, () => cancelRun(scene.workspace_id, runId, actor))) scene.done.cancels += 1;
}

/** The same task again while it runs: the invocation that had the lease may lose the calls it is making. */
async function takesOver(scene: Scene, work: () => Promise<unknown>): Promise<void> {
  scene.done.takeovers += 1;
  scene.usurped.add(currentProcess()?.id ?? 0);
  await invoked(scene, work, 'task');
}

/** One of the runs, rather one that failed. */
async function someRun(scene: Scene): Promise<RunRecord | undefined> {
  const { listed } = await runList.page(scene.workspace_id, { limit: 50 });
  const ids = listed.map(({ run_id }) => run_id);
  const runs = await getMany(scene.workspace_id, ids);
  const failed = runs.filter(({ status }) => status === 'failed');
  return runs.length > 0 ? scene.chance.pick(failed.length > 0 ? failed : runs) : undefined;
}

async function goesOn(scene: Scene): Promise<void> {
  const { chance, caller, done } = scene;
  const run = await someRun(scene);
  if (!run) return;
  const run_id = run.id;
  const request = {
    caller,
    request_id: 'request',
    run_id,
    body: { step_index: chance.below(3) },
    idempotency: undefined,
  };
  if (chance.oneIn(6)) await cancels(scene, run_id);
  else if (run.status !== 'failed')
    done.reruns += Number(await invoked(scene, () => rerunRun(request, scene.model.pricing)));
  else done.resumes += Number(await invoked(scene, () => resumeRun(caller, run_id, {}, actor)));
}

/** Runs a history; the sweep handles what its end leaves open. */
export async function live(seed: number): Promise<Scene> {
  const scene = await setScene(seed);
  for (let turn = 0; turn < 6; turn += 1) {
    if (turn === 0 || scene.chance.oneIn(2)) await creates(scene);
    else await goesOn(scene);
    const { listed } = await runList.page(scene.workspace_id, { limit: 50 });
    for (const { run_id } of listed) if (!scene.chance.oneIn(3)) await executes(scene, run_id);
  }
  return scene;
}

/** Brings every open run to its end. */
export async function conclude(scene: Scene): Promise<void> {
  scene.peace = true;
  const { listed } = await runList.page(scene.workspace_id, { limit: 50 });
  for (const { run_id } of listed) await executes(scene, run_id);
}
