// The flows of the service one by one, each in a calm world with at most one fault, and what remains of it in the end.

import { readCounters } from '#store/money/counters.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { readAfter } from '#store/runs/events.ts';
import { readOutput } from '#store/runs/outputs.ts';
import * as runList from '#store/runs/run-list.ts';
import { getMany } from '#store/runs/runs.ts';
import type { AwsCall, FaultKind } from '../../support/faults.ts';
import * as clients from './clients.ts';
import { sweepEveryMinute } from './cloud.ts';
import { finish, newKnowledge } from './history.ts';
import { breachesOf } from './invariants.ts';
import { createWorld, type World } from './world.ts';

type Doing = (world: World, known: clients.Knowledge) => Promise<unknown>;

const HOOK = { callback_url: clients.CALLBACK };
const planOf = (fetch: object, steps: object[]) => ({
  input_type: 'plan',
  plan: { title: 'Plan', steps: [{ kind: 'fetch', title: 'Fetch', ...fetch }, ...steps] },
  ...HOOK,
});
const plan = (...steps: object[]) => planOf({}, steps);
const asking = { params: { source: 'workers-3' } };
const askingPerson = { params: { source: 'person' } };
const askingWithItems = {
  ...{ kind: 'fetch', title: 'Ask' },
  params: { source: 'workers-3', context_step_ids: [0] },
};
const transform = { kind: 'transform', title: 'Each', params: { limit: 3 }, instructions: 'each' };
const creates =
  (body: object): Doing =>
  (world, known) =>
    clients.createsFrom(world, known, body, 'key');
const rests: Doing = (world) => world.scheduler.sleep(3 * 60_000);
/** Longer than a client is refused, and than the sweep leaves a run without an execution. */
const AWAY_MS = 4 * 60_000;
/** The models at these places of the list are away. */
const goAway =
  (...places: number[]): Doing =>
  async ({ model }) => {
    for (const place of places) model.away.set(model.model.names[place] ?? '', { hangs_ms: 0 });
  };
const comeBack: Doing = async ({ model, scheduler }) => {
  await scheduler.sleep(AWAY_MS);
  model.away.clear();
};
const soon: Doing = (world) => world.scheduler.sleep(30_000);
const waiting = { config: { model_wait_seconds: 3600 } };
const answer = { kind: 'reconstitute', title: 'Answer', instructions: 'answer' };

/** What clients do, one after the other. */
export const flows: Record<string, Doing[]> = {
  plan: [creates(plan(transform, answer))],
  wait: [goAway(0, 1), creates({ ...plan(transform, answer), ...waiting }), comeBack, rests, rests],
  wait_in_vain: [goAway(0, 1), creates({ ...plan(transform), config: { model_wait_seconds: 60 } }), comeBack],
  cancel_in_wait: [goAway(0, 1), creates(plan(transform)), soon, clients.cancels],
  maintenance_in_wait: [
    goAway(0, 1),
    creates({ ...plan(transform, answer), ...waiting }),
    soon,
    clients.maintains,
    comeBack,
    clients.endsMaintenance,
    rests,
  ],
  fallback: [goAway(0), creates(plan(transform, answer))],
  kinds: [
    creates(
      plan(
        { kind: 'filter', title: 'Some', instructions: 'some' },
        { kind: 'analyze', title: 'All', instructions: 'all' },
        { kind: 'discover', title: 'New', instructions: 'new' },
        { kind: 'vector_search', title: 'Near', params: { query: 'thing' } },
        { kind: 'inject_context', title: 'More', params: { text: 'More' } },
      ),
    ),
  ],
  output: [
    creates({
      ...plan(transform, { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['NONE'] } }),
      output_schema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
    }),
  ],
  query: [creates({ input_type: 'query', query: 'Which things are there?', ...HOOK })],
  dossier: [
    creates({
      input_type: 'preset',
      preset: 'dossier',
      params: { entity: { external_uri: 'crm:1' }, sections: ['One'] },
      ...HOOK,
    }),
  ],
  cancel: [creates(plan(transform)), rests, clients.cancels],
  job: [creates(planOf(asking, [transform])), rests],
  question: [creates(planOf(askingPerson, [transform])), rests],
  job_with_items: [creates(plan(askingWithItems, transform)), rests],
  rerun: [creates(plan(transform, { ...transform, instructions: 'again' })), rests, clients.reruns],
  maintenance: [clients.maintains, creates(plan(transform)), rests, clients.endsMaintenance],
  delete: [creates(plan(transform)), rests, clients.deletes, rests],
  redeliver: [creates(plan(transform)), rests, clients.redelivers],
  credits: [clients.grants, creates(plan(transform)), rests, clients.grants],
  sync: [clients.syncs, clients.syncs, clients.syncs],
  import: [clients.imports],
};

export interface Played {
  calls: AwsCall[];
  breaches: string[];
  /** What is left, as text that is equal for equal ends. */
  end: string;
}

async function endOf({ workspace_id }: World): Promise<string> {
  const { listed } = await runList.page(workspace_id, { limit: 100 });
  const runs = await getMany(
    workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const left = await Promise.all(
    runs.map(async (run) => ({
      status: run.status,
      credits_used: run.credits_used,
      calls: run.spent.calls,
      artifacts: run.artifacts.map(({ kind }) => kind),
      output: await readOutput(workspace_id, run.id),
      log: (await readAfter(run, 0, 1000)).events
        .map(({ event_type }) => event_type)
        // Written by time.
        .filter((type) => type !== 'step.progress' && type !== 'step.retrying'),
      deliveries: (await deliveries.list(workspace_id, run.id)).map(({ status }) => status),
    })),
  );
  const { slots } = await readCounters(workspace_id);
  return JSON.stringify({ runs: left, slots });
}

/**
 * Plays a flow; `fault` strikes once, at the call of that number. The same flow without one is the model of all others.
 */
export async function play(name: string, fault?: { call: number; kind: FaultKind }): Promise<Played> {
  const calls: AwsCall[] = [];
  const world = await createWorld(1, {
    faultPlan:
      ({ quiet, fired }) =>
      (call) => {
        if (quiet) return undefined;
        calls.push(call);
        if (calls.length - 1 !== fault?.call) return undefined;
        fired[fault.kind] = 1;
        return fault.kind;
      },
    calm: true,
    endpoints: 2,
  });
  const known = newKnowledge();
  try {
    const rest = await world.scheduler.run(async () => {
      void sweepEveryMinute(world, () => world.quiet);
      for (const act of [...(flows[name] ?? []), rests]) await act(world, known);
      return finish(world, known);
    });
    const breaches = await world.scheduler.run(() => breachesOf(world, known));
    const end = await world.scheduler.run(() => endOf(world));
    return { calls, breaches: [...rest.breaches, ...breaches], end };
  } finally {
    world.stop();
  }
}
