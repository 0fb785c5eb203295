// Every commit of a history as it reaches the table, replayed through the legal transitions: what was, what changed, its
// events and its effects (rules.md: states 4). A slot changes only while its run does not work, and a run works only
// with a slot.
import * as z from 'zod';
import { eventTypes, WaitReason } from '#contract/events.ts';
import { RunConfig, RunStatus } from '#contract/runs.ts';
import { type LegalTransition, type Phase, phaseOf, transitionsBy } from '#domain/runs/legal-transitions.ts';
import {
  type Folded,
  loggedStep,
  reopened,
  sameSteps,
  stepsAfter,
  unbegun,
} from '#domain/runs/logged-steps.ts';
import { isUnchanged } from '#domain/runs/transitions.ts';
import { Spent, StepRecord } from '#store/runs/run-record.ts';
import type { Item } from '#store/table/table.ts';
import { keys, runOfPartition } from '#store/table/table-keys.ts';
import { openJobs } from './open-jobs.ts';

/** What the check reads of a stored run. */
const State = z.object({
  status: RunStatus,
  log_finished: z.boolean().default(false),
  version: z.number(),
  last_sequence: z.number(),
  steps: z.array(StepRecord),
  position: z.number(),
  resume_count: z.number().default(0),
  completed_at: z.number().optional(),
  waiting: z.object({ reason: WaitReason }).optional(),
  owner: z.string().optional(),
  due_pk: z.string().optional(),
  config: RunConfig,
  spent: Spent,
  changes: z.object({ added: z.number(), changed: z.number(), removed: z.number() }).optional(),
});
type State = z.infer<typeof State>;

const EventItem = z.object({
  first_sequence: z.number(),
  events: z.array(z.object({ event_type: z.enum(eventTypes), data: z.unknown() })),
});

/** One commit: a state and the next one, and what was written with it. */
interface Commit {
  before: State | undefined;
  after: State;
  first_sequence: number | undefined;
  events: Folded[];
  deliveries: number;
  /** What it adds to the day, 1e-12 USD. */
  cost: bigint;
}

interface Action {
  kind: string;
  key: { pk: string; sk: string };
  one: Item;
}

const kinds: Readonly<Record<string, string>> = {
  PutCommand: 'Put',
  UpdateCommand: 'Update',
  DeleteCommand: 'Delete',
};
const working: readonly Phase[] = ['pending', 'running', 'paused', 'canceling'];
const isWorking = (state: State | undefined) => working.includes(phaseOf(state));
const waitsForJob = (state: State | undefined) => ['job', 'person'].includes(state?.waiting?.reason ?? '');
/** Events and deliveries are written only with the state that they report. */
const belongsToCommit = (sk: string) => sk.startsWith(keys.log) || sk.startsWith(keys.deliveries);

/** What a call writes, action by action; batches only erase what is out of sight. */
function actionsOf(command: string, input: object): Action[] {
  const { TransactItems } = Object(input);
  const kind = kinds[command];
  const actions: object[] =
    command === 'TransactWriteCommand' ? TransactItems : kind ? [{ [kind]: input }] : [];
  return actions.flatMap((action) =>
    Object.entries(action).flatMap(([name, one]) => {
      if (name === 'ConditionCheck') return [];
      const { pk, sk } = one.Key ?? one.Item;
      return [{ kind: name, key: { pk: String(pk), sk: String(sk) }, one }];
    }),
  );
}

const isRun = ({ key }: Action) => key.sk === 'META' && key.pk.includes('#RUN#');
const costOf = ({ one }: Action) =>
  String(one.UpdateExpression ?? '').includes(':cost')
    ? BigInt(Object(one.ExpressionAttributeValues)[':cost'])
    : 0n;

/** As in the table, an attribute without a value is none. */
const present = (item: object): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

export interface Trace {
  /** Performs a call of the table and replays what it has written. */
  replayed(command: string, input: object, perform: (input: object) => object): object;
  readonly commits: number;
  /** Every state that a run has been in, as its item was written. */
  readonly states: readonly Item[];
}

/** Watches the table of a history; `slotsIn` reads the runs with a slot in the counters of a partition. */
export function traceCommits(seen: string[], slotsIn: (counters: Action['key']) => string[]): Trace {
  const states: Item[] = [];
  const runs = new Map<string, State>();
  const jobs = openJobs();
  /** The partitions of runs that have a slot, by the partition of the counters or of the separate items. */
  const slots = new Map<string, Set<string>>();
  const hasSlot = (run: string) => [...slots.values()].some((owners) => owners.has(run));
  let commits = 0;

  function breach(run: string, reason: string): void {
    seen.push(`commit ${commits}, of run ${runOfPartition(run).run_id}: ${reason}`);
  }

  /** The runs whose slots the actions change. */
  function slotChanges(actions: Action[]): { claimed: string[]; released: string[] } {
    const claimed: string[] = [];
    const released: string[] = [];
    for (const { kind, key } of actions) {
      if (key.sk !== 'COUNTERS' && !key.pk.endsWith('#SLOTS')) continue;
      const workspace = runOfPartition(key.pk).workspace_id;
      const runOf = (id: string) => keys.runPartition(workspace, id);
      const known = slots.get(key.pk) ?? new Set<string>();
      const single = new Set(known);
      if (kind === 'Delete') single.delete(runOf(key.sk));
      else single.add(runOf(key.sk));
      const owners = key.sk === 'COUNTERS' ? new Set(slotsIn(key).map(runOf)) : single;
      claimed.push(...[...owners].filter((run) => !known.has(run)));
      released.push(...[...known].filter((run) => !owners.has(run)));
      slots.set(key.pk, owners);
    }
    return { claimed, released };
  }

  function replayCommit({ kind, key, one }: Action, actions: Action[]): void {
    commits += 1;
    const before = runs.get(key.pk);
    if (kind === 'Delete') {
      runs.delete(key.pk);
      const mayBeDeleted = transitionsBy(phaseOf(before), []).some(({ after }) => after === 'deleted');
      if (!mayBeDeleted) breach(key.pk, 'is deleted');
      return;
    }
    const { data: after } = State.safeParse(one.Item);
    if (!after) {
      breach(key.pk, 'is stored as no run');
      return;
    }
    runs.set(key.pk, after);
    states.push(present(Object(one.Item)));
    const own = actions.filter((action) => action.kind === 'Put' && action.key.pk === key.pk);
    const log = own.find((action) => action.key.sk.startsWith(keys.log));
    const reason = reasonOf({
      ...{ before, after, first_sequence: undefined, events: [] },
      ...(log && EventItem.parse(log.one.Item)),
      deliveries: own.filter((action) => action.key.sk.startsWith(keys.deliveries)).length,
      cost: actions.map(costOf).reduce((sum, cost) => sum + cost, 0n),
    });
    if (reason) breach(key.pk, reason);
    if (isWorking(after) && !hasSlot(key.pk)) breach(key.pk, 'works without a slot');
  }

  function replay(actions: Action[]): void {
    const { claimed, released } = slotChanges(actions);
    const asking = jobs.changed(actions);
    for (const run of claimed) if (isWorking(runs.get(run))) breach(run, 'gets a second slot');
    // The sweep moves the due time of a run by an update.
    const written = actions.filter((action) => isRun(action) && action.kind !== 'Update');
    for (const action of written) replayCommit(action, actions);
    for (const run of new Set([...asking, ...written.map(({ key }) => key.pk)]))
      if (jobs.count(run) !== (waitsForJob(runs.get(run)) ? 1 : 0))
        breach(run, 'waits for a job that is not open, or has one that it does not wait for');
    for (const run of released) if (isWorking(runs.get(run))) breach(run, 'loses its slot while it works');
    for (const { kind, key } of actions)
      if (kind === 'Put' && belongsToCommit(key.sk) && !written.some((action) => action.key.pk === key.pk))
        breach(key.pk, 'something is written without its commit');
  }

  return {
    replayed(command, input, perform) {
      const reply = perform(input);
      const actions = actionsOf(command, input);
      if (actions.length > 0) replay(actions);
      return reply;
    },
    states,
    get commits() {
      return commits;
    },
  };
}

/** Why a commit is none of the legal transitions; undefined: it is one. */
function reasonOf(commit: Commit): string | undefined {
  const { before, after, events } = commit;
  const types = events.map(({ event_type }) => event_type);
  const [from, to] = [phaseOf(before), phaseOf(after)];
  const step = `${from} to ${to} with [${types.join(' ')}]`;
  const legal = transitionsBy(from, types).find((one) => one.after === to);
  if (!legal) return step;
  const claims = [...effects(commit, legal), ...(before ? changes({ ...commit, before }) : [])];
  const wrong = claims.find(([, holds]) => !holds);
  return wrong && `${step}: ${wrong[0]}`;
}

type Claim = [what: string, holds: boolean];

/** A call of a run that waits for its model may be the one that tries it, also when maintenance begins meanwhile. */
const mayBeOwned = (phase: Phase, before: State | undefined, { waiting, owner }: State) =>
  ['running', 'canceling'].includes(phase) ||
  (phase === 'paused' && waiting?.reason === 'model_unavailable') ||
  (before?.status === 'paused' && before.owner === owner);

/** Canceled with no step left to end. */
const isCutShort = ({ before, legal }: { before: State | undefined; legal: LegalTransition }) =>
  before?.status === 'running' && legal.after === 'canceled';

function effects({ before, after, deliveries }: Commit, legal: LegalTransition): Claim[] {
  const delivers = legal.delivers && after.config.callback_url !== undefined && !isUnchanged(after);
  const ended = !working.includes(legal.after);
  return [
    ['deliveries', deliveries === (delivers ? 1 : 0)],
    ['the end of the log', after.log_finished === ended],
    ['the time of the end', (after.completed_at !== undefined) === (ended || legal.after === 'canceling')],
    ['a run is canceled at once though it works', !isCutShort({ before, legal }) || waitsForJob(before)],
    ['the sweep does not know it', ended || after.due_pk !== undefined],
    ['the owner of a run at rest', mayBeOwned(legal.after, before, after) || after.owner === undefined],
  ];
}

function changes({ before, after, first_sequence, events, cost }: Commit & { before: State }): Claim[] {
  const completed = events.filter(({ event_type }) => event_type === 'step.completed').length;
  const isResumed = before.status === 'failed' && after.status === 'pending';
  const spent = BigInt(after.spent.cost_pico_usd) - BigInt(before.spent.cost_pico_usd);
  // An invocation takes a run over in a commit of its own, or with the start.
  const takesOver = after.owner !== undefined && after.owner !== before.owner;
  return [
    ['the version', after.version === before.version + 1],
    ['the sequence', (first_sequence ?? before.last_sequence + 1) === before.last_sequence + 1],
    ['the end of the sequence', after.last_sequence === before.last_sequence + events.length],
    ['the steps', followSteps(before, after, events, isResumed)],
    ['the position', after.position === before.position + completed],
    ['the resumes', after.resume_count === before.resume_count + (isResumed ? 1 : 0)],
    ['the cost', spent === cost],
    ['the owner', !takesOver || events.length === 0 || ['pending', 'paused'].includes(before.status)],
  ];
}

/** Whether the events lead from the steps before to those after; a query gets its steps with its plan. */
function followSteps(before: State, after: State, events: readonly Folded[], isResumed: boolean): boolean {
  const known = new Map(before.steps.map((one) => [one.index, loggedStep(one)]));
  const start = after.steps.map(({ index }) => known.get(index) ?? unbegun(index));
  let steps: ReturnType<typeof stepsAfter> = isResumed ? reopened(start) : start;
  for (const event of events) steps = steps && stepsAfter(steps, event);
  return steps !== undefined && sameSteps(steps, after.steps.map(loggedStep));
}
