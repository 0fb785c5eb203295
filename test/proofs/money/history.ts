// One random history of a workspace: runs that are created, worked on, canceled, resumed and rerun by invocations that
// die now and then.
import { ApiError } from '#contract/errors.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { rerunRun } from '#domain/commands/rerun-run.ts';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { executeSlice, type NextAction, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { pause } from '#platform/pause.ts';
import * as runList from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { getMany } from '#store/runs/runs.ts';
import { Crash, currentProcess } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import { startedRun } from '../../support/run-drafts.ts';
import { actor } from '../../support/runs.ts';
import { namesOf } from '../sim/workers.ts';
import { manners } from './outages.ts';
import { createWorld, mayDie, PARALLEL_CALLS, type World, workerSettings } from './world.ts';

/** Short enough that some waits are used up. */
const MODEL_WAIT_SECONDS = 30;
const WAITS_MAX = 3;
const JOB_LOOK_MS = 1000;
/** Longer than a slice waits for the probe of another process. */
const TAKEN_OVER_MS = 5000;

/** Carries out one invocation. False when it died or was refused. */
async function invoked(
  world: World,
  work: () => Promise<unknown>,
  kind: 'client' | 'task' = 'client',
): Promise<boolean> {
  const { outcomes, done } = world;
  const id = outcomes.size + 1;
  try {
    return !(await mayDie(world, kind, work, id)).died;
  } catch (error) {
    // Processes of one history share what they know of the models, and so a read of one that has died. This one may
    // then have counted an answer that it could not journal, which its successor asks for again.
    if (error instanceof Crash) {
      world.mayHaveLostLease.add(id);
      return false;
    }
    if (!(error instanceof ApiError)) throw error;
    outcomes.set(id, 'refused');
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
  const asked = chance.oneIn(2) && { params: { source: chance.pick(namesOf(workerSettings)) } };
  const plan = { title: 'Plan', steps: [{ kind: 'fetch', title: 'Fetch', ...asked }, ...steps] };
  return { input_type: 'plan', plan };
}

async function creates(world: World): Promise<void> {
  const { caller, model } = world;
  const checked = checkCreate(body(world.chance), (schema, value) => schema.parse(value));
  const choice = { model: model.model, prices: model.pricing.prices };
  const request = { caller, request_id: 'request', checked, idempotency: undefined };
  if (await invoked(world, () => startedRun(createRun(request, choice)))) world.done.created += 1;
}

/** The work of the state machine on a run: slices until it ends, again after a death, given up after the fourth. */
async function executes(world: World, run_id: string): Promise<void> {
  const { chance, model, workspace_id, done } = world;
  const place = { workspace_id, run_id };
  const setting = {
    model: model.model,
    prices: model.pricing.prices,
    max_parallel_calls: PARALLEL_CALLS,
    model_wait_seconds: MODEL_WAIT_SECONDS,
    slice_ms: chance.oneIn(3) ? -1 : 60_000,
    steps_per_slice: chance.oneIn(2) ? 1 : undefined,
    sourcesFor: (...[run, , { live }]: Parameters<SliceSetting['sourcesFor']>) =>
      sourcesOf(run, async (texts) => texts.map(() => [1]), { live }),
  };
  const at: { next: NextAction } = { next: 'continue' };
  const slice = async () => {
    at.next = await executeSlice(place, setting);
  };
  let successor: Promise<unknown> | undefined;
  // A successor may wait for the probe that this call is, as only calls of one process do: the call goes on, too.
  const isTakenOver = () => {
    successor = takesOver(world, () => executeSlice(place, setting));
    return Promise.race([successor, pause(TAKEN_OVER_MS)]);
  };
  for (let deaths = 0, waits = 0; at.next !== 'end'; ) {
    if (at.next !== 'continue') {
      const { reason, until = 0 } = at.next;
      if (reason === 'job') done.jobs += 1;
      else {
        done.waits += 1;
        waits += 1;
      }
      if (waits > WAITS_MAX && !world.quiet) return;
      // No execution is woken here, so each run whose job may have ended gets another slice.
      await pause(Math.min(until - Date.now(), reason === 'job' ? JOB_LOOK_MS : Infinity));
    }
    comeAndGo(world);
    // What no call of this slice has met is over: the next slice may be another run's.
    model.during = undefined;
    if (!world.quiet && typeof at.next === 'object' && chance.oneIn(20)) await cancels(world, run_id);
    if (!world.quiet && chance.oneIn(8)) model.during = () => cancels(world, run_id);
    else if (!world.quiet && chance.oneIn(12)) model.during = isTakenOver;
    const survives = await invoked(world, slice, 'task');
    await successor;
    if (survives) continue;
    deaths += 1;
    // No one is left to retry; the sweep will find the run.
    if (chance.oneIn(3)) return;
    if (deaths < 4) at.next = 'continue';
    else if (await invoked(world, () => failRun(place, 'died'))) {
      done.given_up += 1;
      return;
    }
  }
}

/** Now and then an endpoint goes away or comes back; once it is quiet, all are back. */
function comeAndGo({ chance, model, quiet }: World): void {
  if (quiet) model.away.clear();
  else if (chance.oneIn(4)) {
    const name = chance.pick([...model.model.names]);
    if (!model.away.delete(name)) model.away.set(name, chance.pick(manners));
  }
}

async function cancels(world: World, runId: string): Promise<void> {
  if (await invoked(world, () => cancelRun(world.workspace_id, runId, actor))) world.done.cancels += 1;
}

/** The same task again while it runs: the invocation that had the lease may lose the calls it is making. */
async function takesOver(world: World, work: () => Promise<unknown>): Promise<void> {
  world.done.takeovers += 1;
  world.mayHaveLostLease.add(currentProcess()?.id ?? 0);
  await invoked(world, work, 'task');
}

/** One of the runs, rather one that failed. */
async function someRun(world: World): Promise<RunRecord | undefined> {
  const { listed } = await runList.page(world.workspace_id, { limit: 50 });
  const ids = listed.map(({ run_id }) => run_id);
  const runs = await getMany(world.workspace_id, ids);
  const failed = runs.filter(({ status }) => status === 'failed');
  return runs.length > 0 ? world.chance.pick(failed.length > 0 ? failed : runs) : undefined;
}

async function goesOn(world: World): Promise<void> {
  const { chance, caller, done } = world;
  const run = await someRun(world);
  if (!run) return;
  const run_id = run.id;
  const request = {
    caller,
    request_id: 'request',
    run_id,
    body: { step_index: chance.below(3) },
    idempotency: undefined,
  };
  if (chance.oneIn(6)) await cancels(world, run_id);
  else if (run.status !== 'failed')
    done.reruns += Number(await invoked(world, () => rerunRun(request, world.model.pricing)));
  else done.resumes += Number(await invoked(world, () => resumeRun(caller, run_id, {}, actor)));
}

/** Runs a history; the sweep handles what its end leaves open. */
export async function live(seed: number): Promise<World> {
  const world = await createWorld(seed);
  for (let turn = 0; turn < 6; turn += 1) {
    if (turn === 0 || world.chance.oneIn(2)) await creates(world);
    else await goesOn(world);
    const { listed } = await runList.page(world.workspace_id, { limit: 50 });
    for (const { run_id } of listed) if (!world.chance.oneIn(3)) await executes(world, run_id);
  }
  // What a worker still sends would change what is judged.
  await Promise.all(world.workers.begun);
  return world;
}

/** Brings every open run to its end. */
export async function conclude(world: World): Promise<void> {
  world.quiet = true;
  const { listed } = await runList.page(world.workspace_id, { limit: 50 });
  for (const { run_id } of listed) await executes(world, run_id);
  await Promise.all(world.workers.begun);
}
