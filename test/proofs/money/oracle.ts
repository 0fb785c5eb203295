// What must be true of the money after a history, recomputed from what its model and its invocations know.
import { fallbackWarnings, usageOf as shownUsage } from '#domain/billing/usage.ts';
import { reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import { spentToday } from '#store/money/costs.ts';
import { type Counters, readCounters } from '#store/money/counters.ts';
import { listEntries } from '#store/money/ledger.ts';
import * as runList from '#store/runs/run-list.ts';
import type { RunRecord, Spent } from '#store/runs/run-record.ts';
import { getMany } from '#store/runs/runs.ts';
import { queryAll } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { marksIn, tokensOfModels, usageOf } from './counted-model.ts';
import { type History, PARALLEL_CALLS } from './world.ts';

const CREDITS: Record<string, number> = {
  fetch: 2,
  vector_search: 4,
  filter: 10,
  analyze: 20,
  discover: 30,
  reconstitute: 20,
  inject_context: 1,
};
const DOSSIER_CREDITS = 100;
const isOpen = (run: RunRecord) => !run.log_finished;
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
const total = (numbers: bigint[]) => numbers.reduce((all, one) => all + one, 0n);

type Claim = [what: string, holds: boolean];
/** Whether a call may have been answered after its run was deleted: then its cost is in the day alone. */
type IsLate = (call: { by: number }) => boolean;

/**
 * Everything that is not as it must be, in words; nothing when all is well. What crashes left is reconciled first, as
 * the sweep does. `deleted`: the runs that were deleted, as they were before.
 */
export async function faultsOf(
  history: Omit<History, 'done'>,
  deleted: readonly RunRecord[] = [],
): Promise<string[]> {
  await reconcileSlots(history.workspace_id);
  const { listed } = await runList.page(history.workspace_id, { limit: 100 });
  const listedRuns = await getMany(
    history.workspace_id,
    listed.map(({ run_id }) => run_id),
  );
  const runs = [...listedRuns, ...deleted];
  const isLate = ({ by }: { by: number }) => deleted.length > 0 && history.mayHaveLostLease.has(by);
  const claims = [
    ...callClaims(history, runs, isLate),
    ...(await costClaims(history, runs, isLate)),
    ...(await creditClaims(history, runs)),
  ];
  return claims.flatMap(([what, holds]) => (holds ? [] : [`seed ${history.seed}: ${what}`]));
}

/** Each call that was made is counted once; only those of a dying invocation may be lost. */
function callClaims(
  { model, outcomes, mayHaveLostLease }: Omit<History, 'done'>,
  runs: RunRecord[],
  isLate: IsLate,
): Claim[] {
  const runOf = new Map(runs.flatMap((run) => marksIn(run.spent).map((mark) => [mark, run.id] as const)));
  const all = runs.flatMap(({ spent }) => marksIn(spent));
  // The cost of a call that understood a query for a create that came to nothing is in the day alone.
  const lost = model.calls.filter(({ mark, task }) => !runOf.has(mark) && task !== 'understand');
  const outcomeOf = ({ by }: { by: number }) => outcomes.get(by);
  // Calls in the journal of an open step come into the sum with its next commit.
  const settled = runs.every((run) => !isOpen(run));
  const inDeaths = lost.filter((call) => outcomeOf(call) === 'died');
  const lostBy = [...Map.groupBy(inDeaths, ({ by }) => by).values()].map((calls) => calls.length);
  // An invocation that was taken over in mid-call and its successor both make the call, and both are paid for.
  const alone = model.calls.filter(({ by }) => !mayHaveLostLease.has(by));
  const items = alone.flatMap(({ mark, item }) =>
    item !== undefined && runOf.has(mark) ? [`${runOf.get(mark)} ${item}`] : [],
  );
  return [
    ['a call is counted twice', new Set(all).size === all.length],
    ['a call is counted that was never answered', all.every((mark) => mark < model.calls.length)],
    [
      'a call is lost though nothing died',
      !settled || lost.every((call) => outcomeOf(call) !== 'counted' || isLate(call)),
    ],
    [
      'a refused create is charged',
      model.calls.every((call) => outcomeOf(call) !== 'refused' || !runOf.has(call.mark)),
    ],
    [
      'a death loses more calls than were in flight',
      // Each call may have been answered twice.
      !settled || lostBy.every((count) => count <= 2 * PARALLEL_CALLS),
    ],
    ['an item is paid for twice though nobody was taken over', new Set(items).size === items.length],
    ['the number of calls is wrong', sum(runs.map(({ spent }) => spent.calls)) === all.length],
    ['the models of a run are not those of its calls', runs.every((run) => isSplit(run, model))],
    ['a call is taken for unpriced', runs.every(({ spent }) => spent.unpriced_calls === 0)],
  ];
}

/** Whether a run shows what each model used in it, and that another one answered than the first of the list. */
function isSplit(run: RunRecord, { calls, model }: History['model']): boolean {
  const counted = marksIn(run.spent).flatMap((mark) => calls[mark] ?? []);
  const made = Map.groupBy(counted, (call) => call.model);
  const { models } = shownUsage(run);
  const fellBack = counted.some((call) => call.model !== model.names[0]);
  return (
    models.length === made.size &&
    models.every(({ model, ...shown }) => {
      const used = (made.get(model) ?? []).map(({ mark }) => usageOf(mark));
      return (
        shown.calls === used.length &&
        shown.input_tokens === sum(used.map((one) => one.input_tokens)) &&
        shown.output_tokens === sum(used.map((one) => one.output_tokens))
      );
    }) &&
    fallbackWarnings(run.spent).length === (fellBack ? 1 : 0)
  );
}

/** 1 USD per million input tokens and 4 per million of the others, in 1e-12 USD. */
function costOf(spent: Pick<Spent, 'input_tokens' | 'output_tokens' | 'thinking_tokens'>): bigint {
  return (
    1_000_000n * BigInt(spent.input_tokens) +
    4_000_000n * (BigInt(spent.output_tokens) + BigInt(spent.thinking_tokens))
  );
}

/** What the models and the jobs of a run cost, in 1e-12 USD. */
const costOfRun = ({ spent }: RunRecord) =>
  costOf(tokensOfModels(spent)) + BigInt(spent.jobs?.cost_pico_usd ?? 0);

/**
 * Whether days may show a sum: the cost of the runs, of understanding for creates that were refused, of late calls, and
 * of any of those calls that a death may have lost.
 */
function isDue(
  spent: bigint,
  { model, outcomes }: Omit<History, 'done'>,
  runs: RunRecord[],
  isLate: IsLate,
): boolean {
  const inRuns = new Set(runs.flatMap(({ spent }) => marksIn(spent)));
  const alone = model.calls.filter(
    (call) => !inRuns.has(call.mark) && (call.task === 'understand' || isLate(call)),
  );
  // One of two that ran at once may have died as well; the journal of an open step is not counted yet.
  const { uncertain = [], certain = [] } = Object.groupBy(alone, ({ by }) =>
    outcomes.get(by) === 'died' || runs.some(isOpen) ? 'uncertain' : 'certain',
  );
  const costs = (calls: typeof alone) => calls.map(({ mark }) => costOf(usageOf(mark)));
  let rest = spent - total([...runs.map(costOfRun), ...costs(certain)]);
  // Each cost is the same unit times a power of 4, so the largest that fits is part of the sum if any are.
  for (const cost of costs(uncertain).toSorted((one, other) => (one > other ? -1 : 1)))
    if (rest >= cost) rest -= cost;
  return rest === 0n;
}

async function costClaims(
  history: Omit<History, 'done'>,
  runs: RunRecord[],
  isLate: IsLate,
): Promise<Claim[]> {
  const { workspace_id } = history;
  const days = await queryAll(keys.costs(workspace_id));
  const said = (counts: (name: string) => boolean) =>
    total(
      days.flatMap(({ pk: _pk, sk: _sk, expires_at_seconds: _end, ...day }) =>
        Object.entries(day).flatMap(([name, pico]) => (counts(name) ? BigInt(String(pico)) : [])),
      ),
    );
  const spent = said((name) => name === 'spent');
  const now = Date.now();
  const today = new Date(now).toISOString().slice(0, 10);
  const lies = days
    .filter(({ sk }) => String(sk).startsWith(today))
    .map(({ spent = 0 }) => BigInt(String(spent)));
  return [
    ['a create reads another sum than the day has', (await spentToday(workspace_id, now)) === total(lies)],
    [
      'the cost of a run is not that of its tokens',
      runs.every((run) => BigInt(run.spent.cost_pico_usd) === costOfRun(run)),
    ],
    ["the workspace's days do not add up to its calls", isDue(spent, history, runs, isLate)],
    ["the key's days are not the workspace's", said((name) => name !== 'spent') === spent],
  ];
}

/** What the finished steps of a run cost that was never resumed. */
function dueCredits(run: RunRecord): number {
  if (run.status === 'failed') return 0;
  const finished = run.steps.filter(({ status }) => status === 'completed');
  if (run.input_type === 'preset') return run.steps.at(-1)?.status === 'completed' ? DOSSIER_CREDITS : 0;
  return sum(
    finished.map(({ kind, items_out = 0 }) =>
      kind === 'transform' ? items_out : (CREDITS[kind] ?? Number.NaN),
    ),
  );
}

async function creditClaims(
  { workspace_id, credits }: Omit<History, 'done'>,
  runs: RunRecord[],
): Promise<Claim[]> {
  const { slots, credits_free } = await readCounters(workspace_id);
  const open = runs.filter(isOpen);
  const ended = runs.filter((run) => !isOpen(run));
  const claims: Claim[] = [
    [
      'the slots are not those of the open runs',
      sameSet(
        Object.keys(slots),
        open.map(({ id }) => id),
      ),
    ],
  ];
  if (credits === undefined) return [...claims, ['credits appear from nowhere', credits_free === undefined]];
  const free = credits_free ?? Number.NaN;
  // The reservation becomes that of the plan just before the plan is saved.
  const planned = open.filter(({ plan_fingerprint }) => plan_fingerprint !== undefined);
  const never = ended.filter(({ resume_count }) => resume_count === 0);
  return [
    ...claims,
    [
      'a hold is not what its run may use',
      planned.every((run) => slots[run.id]?.held === run.credits_at_most),
    ],
    ['the balance is negative', free >= 0 && Object.values(slots).every((slot) => slot.held >= 0)],
    [
      'a run uses more than it holds',
      ended.every((run) => (run.credits_used ?? 0) <= (run.credits_at_most ?? 0)),
    ],
    ['a run is not charged what its steps cost', never.every((run) => run.credits_used === dueCredits(run))],
    ...(await ledgerClaims(workspace_id, runs, { credits, free, slots })),
  ];
}

async function ledgerClaims(
  workspaceId: string,
  runs: RunRecord[],
  { credits, free, slots }: { credits: number; free: number; slots: Counters['slots'] },
): Promise<Claim[]> {
  const entries = await listEntries(workspaceId, 1000);
  const ofRun = Map.groupBy(entries, ({ run_id }) => run_id);
  const balances = entries.map((_, i) => sum(entries.slice(0, i + 1).map(({ credits }) => credits)));
  const granted = sum(entries.filter(({ kind }) => kind === 'grant').map((entry) => entry.credits));
  const used = sum(runs.filter((run) => !isOpen(run)).map((run) => run.credits_used ?? Number.NaN));
  const held = sum(Object.values(slots).map((slot) => slot.held));
  const drawn = (run: RunRecord) => -sum((ofRun.get(run.id) ?? []).map(({ credits }) => credits));
  return [
    ['the balance is not conserved', free + held + used === granted],
    ['more or less was granted', entries[0]?.credits === credits],
    ['the ledger has a gap', entries.every(({ number }, i) => number === i + 1)],
    ['the ledger does not add up', entries.every(({ credits_left }, i) => credits_left === balances[i])],
    ['the ledger was negative', entries.every(({ credits_left }) => credits_left >= 0)],
    ['the ledger ends elsewhere', entries.at(-1)?.credits_left === free],
    [
      'the ledger of a run is wrong',
      runs.every((run) => drawn(run) === (isOpen(run) ? slots[run.id]?.held : run.credits_used)),
    ],
  ];
}

function sameSet(left: string[], right: string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one));
}
