// Monitors in a simulated history: what clients do with them, and what must be true of their fires in the end.

import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import { duesAfter } from '#domain/monitors/due-times.ts';
import { fireOnRequest } from '#domain/monitors/fire-on-request.ts';
import { completeTrigger, createMonitor, deleteMonitor, updateMonitor } from '#domain/monitors/manage.ts';
import * as fires from '#store/monitors/fires.ts';
import * as monitors from '#store/monitors/monitors.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { type Knowledge, type Operation, wants } from './clients.ts';
import { fireSetting } from './cloud.ts';
import type { World } from './world.ts';

/** A monitor as its client knows it: active from then until it was asked to pause. */
export interface KnownMonitor {
  id: string;
  cron: string | undefined;
  since: number;
  until: number;
  /** A pause was acknowledged. */
  paused: boolean;
}

const by = { actor: 'key', request_id: 'r' };
const run = {
  input_type: 'plan' as const,
  plan: {
    title: 'Again',
    steps: [
      { kind: 'fetch' as const, title: 'Fetch' },
      { kind: 'reconstitute' as const, title: 'Answer', params: { expected_artifacts: ['table' as const] } },
    ],
  },
};

export const createsMonitor: Operation = async (world, known) => {
  const { choices, workspace_id, caller } = world;
  const cron = choices.oneIn(3) ? undefined : choices.pick(['* * * * *', '*/2 * * * *']);
  const change = { types: ['thing'], settle_seconds: 1 + choices.below(60) };
  const idempotency = await idempotencyKeyOf(`monitor ${known.wanted}`, 'monitors', workspace_id, {});
  const settings = {
    ...{ name: 'M', status: 'active' as const, catch_up_seconds: choices.pick([0, 3600]) },
    overlap: choices.pick(['skip', 'queue', 'replace'] as const),
    notify: choices.pick(['every', 'changed'] as const),
    on: completeTrigger(cron ? { cron } : { change }, Date.now()),
  };
  const asked = { caller, settings, run, idempotency, by };
  const made = await wants(world, known, () => createMonitor(asked));
  if (!made) return;
  const { id, created_at: since } = made.monitor;
  known.monitors.push({ id, cron, since, until: Number.POSITIVE_INFINITY, paused: false });
};

export const firesMonitor: Operation = async (world, known) => {
  if (known.monitors.length === 0) return createsMonitor(world, known);
  await firesOne(world, known, world.choices.pick(known.monitors));
};

async function firesOne(world: World, known: Knowledge, { id }: KnownMonitor): Promise<void> {
  const { workspace_id, caller } = world;
  const idempotency = await idempotencyKeyOf(`fire ${known.wanted}`, 'fires', workspace_id, { id });
  const asked = { caller, monitor_id: id, by, idempotency };
  const made = await wants(world, known, () => fireOnRequest(asked, fireSetting(world)));
  if (made?.fire.run_id) known.runOfKey.set(`fire ${made.fire.id}`, new Set([made.fire.run_id]));
}

/** Pauses what is active, so that the history comes to an end; each while it fires, which must not undo the pause. */
export async function pauseAll(world: World, known: Knowledge): Promise<void> {
  for (const monitor of known.monitors) {
    monitor.until = Math.min(monitor.until, Date.now());
    const fired = firesOne(world, known, monitor);
    const pause = () => updateMonitor(world.caller, monitor.id, { status: 'paused' }, by);
    monitor.paused = (await wants(world, known, pause)) !== undefined;
    await fired;
  }
}

export const deletesMonitor: Operation = async (world, known) => {
  const monitor = known.monitors.at(-1);
  if (!monitor) return createsMonitor(world, known);
  monitor.until = Math.min(monitor.until, Date.now());
  // Its fires expire with time, and its last due times with it.
  monitor.cron = undefined;
  await wants(world, known, () => deleteMonitor(world.caller, monitor.id, by));
  // Another client may have deleted it since.
  known.monitors = known.monitors.filter((one) => one !== monitor);
};

type Claim = [what: string, holds: boolean];

/** What is true of the fires of all monitors, and of the runs that they made. A run may have been deleted since. */
export async function monitorClaims(world: World, known: Knowledge, all: RunRecord[]): Promise<Claim[]> {
  const lives = new Set(all.map(({ id }) => id));
  const exists = (id = '') => lives.has(id) || known.deleted.has(id);
  const claims = await Promise.all(
    known.monitors.map((monitor) => claimsOf(world, monitor, { all, exists })),
  );
  return claims.flat();
}

async function claimsOf(
  { workspace_id, endless }: World,
  { id, cron, since, until, paused }: KnownMonitor,
  { all, exists }: { all: RunRecord[]; exists(run_id: string | undefined): boolean },
): Promise<Claim[]> {
  const listed = await fires.page({ workspace_id, monitor_id: id }, 1000);
  const stored = await monitors.get(workspace_id, id);
  const made = all.filter((run) => monitors.monitorOfRun(run)?.monitor_id === id);
  const runs = listed.filter(({ outcome }) => outcome === 'run');
  const dues = listed.filter(({ cause }) => cause !== 'request');
  const names = dues.map(
    ({ cause, due_at, outcome }) => `${cause} ${due_at} ${cause === 'change' ? outcome : ''}`,
  );
  const scheduled = listed.filter(({ cause }) => cause === 'schedule');
  const covered = (due: number) =>
    scheduled.filter((fire) => fire.due_at <= due && due <= (fire.until ?? fire.due_at)).length;
  const expected: number[] = [];
  for (const due of cron ? duesAfter({ cron, timezone: 'UTC' }, since) : []) {
    if (due > Math.min(until, Date.now())) break;
    expected.push(due);
  }
  return [
    ['a due time has two entries', new Set(names).size === names.length],
    ['a due time has no entry', endless || expected.every((due) => covered(due) > 0)],
    ['a due time has several entries', expected.every((due) => covered(due) <= 1)],
    ['a pause is undone', !paused || stored?.status === 'paused'],
    ['a fire has no run', runs.every((fire) => exists(fire.run_id))],
    [
      'a run has not one fire',
      made.every(
        (one) =>
          runs.filter((fire) => fire.run_id === one.id && fire.id === one.fired_by?.fire_id).length === 1,
      ),
    ],
    ['a fire still waits', endless || (stored?.queued === undefined && stored?.look_at === undefined)],
    [
      'a compared run and its fire count differently',
      made.every(
        ({ changes, fired_by, status }) =>
          status !== 'succeeded' ||
          JSON.stringify(changes) ===
            JSON.stringify(runs.find((fire) => fire.id === fired_by?.fire_id)?.changes),
      ),
    ],
  ];
}
