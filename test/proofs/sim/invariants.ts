// What must be true of every run when a simulated history is over, whatever went wrong in it.
import { finalEventTypes, type RunEvent } from '#contract/events.ts';
import { findRunView } from '#domain/runs/find-run.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { faultInLog } from '#domain/runs/log-faults.ts';
import { toEnvelope } from '#domain/runs/run-envelope.ts';
import { outputOf } from '#domain/runs/run-output.ts';
import * as artifacts from '#store/runs/artifacts.ts';
import { checkpointsAt } from '#store/runs/checkpoints.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { readCommits } from '#store/runs/events.ts';
import * as runList from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { queryAll } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { faultsOf } from '../money/oracle.ts';
import type { Knowledge } from './clients.ts';
import { foldsTo } from './folded-log.ts';
import { jobClaims } from './job-claims.ts';
import { monitorClaims } from './monitors.ts';
import { CREDITS, MODEL_WAIT_SECONDS, type World } from './world.ts';

type Claim = [what: string, holds: boolean];

/**
 * Whether the log leads from every envelope that a client may have read to the last one: by what came later, and from
 * its beginning.
 */
async function isRetold(world: World, run: RunRecord, log: RunEvent[]): Promise<boolean> {
  const { input } = await findRunView(run.workspace_id, run.id);
  const { pk } = keys.run(run.workspace_id, run.id);
  const states = await Promise.all(world.trace.states.filter((state) => state.pk === pk).map(runs.runOf));
  const final = toEnvelope(run, input);
  return states.every((state) => {
    const from = toEnvelope(state, input);
    return foldsTo(final, from, log.slice(state.last_sequence)) && foldsTo(final, from, log);
  });
}

/** A time of an event is never before that of the one before it, so it may be a little late. */
const LATE_MS = 1000;

/**
 * Whether no wait for a model was to last longer than the run may wait in all, since its start or its last resume
 * (rules.md: waits 4).
 */
function waitsInTime({ config }: RunRecord, log: RunEvent[]): boolean {
  const may = 1000 * (config.model_wait_seconds ?? MODEL_WAIT_SECONDS) + LATE_MS;
  let waited = 0;
  let since: number | undefined;
  for (const { event_type, data, occurred_at } of log) {
    if (event_type === 'run.started') {
      // Maintenance takes the place of a wait: how long that lasted is in no event.
      const isBack = data.reason === 'model_available';
      waited = isBack && since !== undefined ? waited + occurred_at - since : isBack ? waited : 0;
    }
    if (event_type !== 'run.paused' || data.resume_at === undefined) continue;
    since = occurred_at;
    if (Number(data.resume_at) - occurred_at > Math.max(0, may - waited)) return false;
  }
  return true;
}

async function runClaims(world: World, run: RunRecord): Promise<Claim[]> {
  const { workspace_id } = world;
  const commits = (await readCommits(run)).map(({ events }) => events);
  const log = commits.flat();
  const fault = isTerminal(run) ? faultInLog(run, commits) : 'the run has not ended';
  const ends = log.filter(({ event_type }) => finalEventTypes.includes(event_type));
  const delivered = await deliveries.list(workspace_id, run.id);
  const due = run.config.callback_url
    ? ends.filter(({ event_type }) => event_type !== 'run.canceled').map(({ id }) => id)
    : [];
  const bodies = Map.groupBy(world.posts, ({ event_id }) => event_id);
  const saved = await artifacts.getMany(
    workspace_id,
    run.artifacts.map(({ id }) => id),
  );
  const checkpoints = await checkpointsAt(
    run.steps.flatMap(({ status }, position) =>
      status === 'completed' && position < run.steps.length - 1
        ? [{ workspace_id, run_id: run.id, position }]
        : [],
    ),
  );
  const open = run.steps.filter(({ status }) => status === 'running');
  const output = await outputOf(await findRunView(workspace_id, run.id));
  return [
    [`its log: ${fault}`, fault === undefined],
    ['its log does not lead to its envelope', await isRetold(world, run, log)],
    ['it waits for its model for longer than it may', waitsInTime(run, log)],
    ['it has not ended', isTerminal(run) && run.log_finished && run.completed_at !== undefined],
    ['a step still runs', open.length === 0],
    ['a checkpoint is missing', checkpoints.every(Boolean)],
    ['it is still due', run.due_pk === undefined],
    ['its credits are not settled', typeof run.credits_used === 'number'],
    ...(await jobClaims(world.workers, run)),
    ['its output is missing', run.status !== 'succeeded' || output !== null],
    ['an artifact is missing', saved.length === run.artifacts.length],
    [
      'not one delivery an end',
      delivered.length === due.length && delivered.every(({ event_id }) => due.includes(event_id)),
    ],
    ['a delivery is open', delivered.every(({ status }) => status !== 'pending')],
    [
      'a delivery was posted and does not record it',
      delivered.every(({ event_id, attempts }) => attempts.length > 0 && bodies.has(event_id)),
    ],
    [
      'not as many posts as attempts',
      delivered.every(({ event_id, attempts }) => {
        const unrecorded = world.unrecorded.filter((id) => id === event_id).length;
        const posted = bodies.get(event_id)?.length ?? 0;
        return posted >= attempts.length && posted <= attempts.length + unrecorded;
      }),
    ],
    [
      'more attempts than allowed',
      delivered.every(({ attempts, last_attempt }) => attempts.length <= last_attempt),
    ],
    [
      'one event, two bodies',
      [...bodies.values()].every((posts) => new Set(posts.map(({ body }) => body)).size === 1),
    ],
  ];
}

/** What is true only when everything has come to rest. */
const AT_REST = [
  'it has not ended',
  // The sweep may still have to check its log.
  'it is still due',
  'a delivery is open',
  'a delivery was posted and does not record it',
  'a deleted run has left something',
];
const isLater = ({ endless }: World, what: string) => endless && AT_REST.includes(what);
/** What is true only of runs that have ended. */
const AFTER_THE_END = ['the log is not over', 'its log', 'a step still runs', 'its credits are not settled'];

/** The claims on runs that must hold now: all of them at rest, else those on safety. */
async function claimsOn(world: World, run: RunRecord): Promise<Claim[]> {
  const claims = await runClaims(world, run);
  const isJudged = ([what]: Claim) =>
    run.log_finished || !AFTER_THE_END.some((claim) => what.startsWith(claim));
  return world.endless ? claims.filter(isJudged) : claims;
}

/** What is left of deleted runs besides ledger and audit. */
function leftOf({ table }: World, { deleted }: Knowledge): string[] {
  const owned = [...deleted.values()].flatMap(({ id, artifacts, note_ids }) => [
    id,
    ...artifacts.map((artifact) => artifact.id),
    ...note_ids,
  ]);
  return table
    .items()
    .flatMap(({ pk, sk }) => (owned.some((id) => `${pk} ${sk}`.includes(id)) ? [`${pk} ${sk}`] : []));
}

/** Everything that is not as it must be, in words with the seed; nothing when all is well. */
export async function breachesOf(world: World, known: Knowledge): Promise<string[]> {
  const { workspace_id, seed } = world;
  const { listed } = await runList.page(workspace_id, { limit: 100 });
  const all = await runs.getMany(
    workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const claims = (await Promise.all(all.map((run) => claimsOn(world, run)))).flat();
  const names = (await queryAll(keys.entities(workspace_id)))
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('Thing'));
  const [wanted, found] = [known.synced.names().sort().join(), names.sort().join()];
  claims.push(
    [
      'a key made two runs',
      // A copy of the request that comes after the delete makes the next run.
      [...known.runOfKey.values()].every(
        (ids) => [...ids].filter((id) => !known.deleted.has(id)).length <= 1,
      ),
    ],
    ['a deleted run has left something', leftOf(world, known).length === 0],
    ['a listed run does not exist', all.length === listed.length],
    [`records are [${found}], not [${wanted}]`, world.endless || wanted === found],
  );
  claims.push(...(await monitorClaims(world, known, [...all, ...known.deleted.values()])));
  const money = await faultsOf({ ...world, credits: CREDITS }, [...known.deleted.values()]);
  const broken = claims.flatMap(([what, holds]) => (holds || isLater(world, what) ? [] : [what]));
  const seen = [...new Set([...world.seen, ...broken])];
  return [...seen.map((what) => `seed ${seed}: ${what}`), ...money];
}
