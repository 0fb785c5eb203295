// The runs of a kill trial: what each is asked to do, how it must end, and what is wrong with it when it did not.
export interface Event {
  id: string;
  sequence: number;
  event_type: string;
  data: { step_index?: number; attempt?: number };
}

interface Run {
  id: string;
  status: string;
  usage: { calls: number; credits_used: number | null };
}

interface Delivery {
  event_id: string;
  status: string;
  attempts: unknown[];
}

/** All that is left of a run when it has ended. */
export interface Remains {
  run: Run;
  log: Event[];
  deliveries: Delivery[];
  /** Ids of the events that its receiver was sent. */
  posted: string[];
}

interface Kind {
  steps: Record<string, unknown>[];
  /** How it must end, and the calls and credits that must be counted. */
  status: string;
  calls: number;
  credits: number;
}

const FINAL = ['run.succeeded', 'run.failed', 'run.canceled'];

const step = (kind: string, instructions: string, params: Record<string, unknown> = {}) => ({
  kind,
  title: kind,
  instructions,
  params,
});
const fetchFive = step('fetch', '', { source: 'companies', limit: 5 });
const kinds: Kind[] = [
  {
    steps: [fetchFive, step('filter', 'companies [[delay:300]]'), step('reconstitute', '[[delay:200]]')],
    status: 'succeeded',
    calls: 2,
    credits: 32,
  },
  {
    steps: [fetchFive, step('transform', '[[delay:250]] sum up'), step('analyze', '[[delay:300]]')],
    status: 'succeeded',
    calls: 6,
    credits: 27,
  },
  {
    steps: [step('analyze', '[[delay:700]]'), step('analyze', '[[transient:1]]'), step('analyze', 'end')],
    status: 'succeeded',
    calls: 3,
    credits: 60,
  },
  {
    steps: [step('analyze', '[[delay:400]]'), step('analyze', '[[fail]]')],
    status: 'failed',
    calls: 1,
    credits: 0,
  },
];
const kindOf = (i: number) => kinds[i % kinds.length] ?? { steps: [], status: '', calls: 0, credits: 0 };

/** The body that creates the n-th run. */
export function bodyOf(i: number, callback_url: string): object {
  return { input_type: 'plan', plan: { title: `Run ${i}`, steps: kindOf(i).steps }, callback_url };
}

/** Whether the log has its last event. */
export const isFinished = (log: Event[]) => FINAL.includes(log.at(-1)?.event_type ?? '');

/**
 * What is wrong with the n-th run; nothing when it ended as it must, once, and its webhook (once that is `delivered`)
 * too.
 */
export function breachesOf(
  i: number,
  { run, log, deliveries, posted }: Remains,
  delivered: boolean,
): string[] {
  const kind = kindOf(i);
  const finals = log.filter(({ event_type }) => FINAL.includes(event_type));
  const end = finals[0];
  const starts = log
    .filter(({ event_type }) => event_type === 'step.started')
    .map(({ data }) => `${data.step_index}/${data.attempt}`);
  const [delivery] = deliveries;
  const checks: [string, boolean][] = [
    ['gap in the log', log.every(({ sequence }, n) => sequence === n + 1)],
    ['not one end', finals.length === 1 && end?.event_type === `run.${run.status}`],
    ['a step started twice', new Set(starts).size === starts.length],
    ['a second attempt', starts.every((start) => start.endsWith('/1'))],
    [`ended ${run.status}`, run.status === kind.status],
    [`${run.usage.calls} calls`, run.usage.calls === kind.calls],
    [`${run.usage.credits_used} credits`, run.usage.credits_used === kind.credits],
    [`${deliveries.length} deliveries`, deliveries.length === 1 && delivery?.event_id === end?.id],
    [`delivery ${delivery?.status}`, !delivered || (delivery?.status === 'delivered' && posted.length > 0)],
    ['another event was posted', posted.every((id) => id === end?.id)],
  ];
  return checks.filter(([, holds]) => !holds).map(([what]) => `run ${i} ${run.id}: ${what}`);
}

interface LedgerEntry {
  number: number;
  kind: string;
  run_id?: string;
  credits: number;
  credits_left: number;
}

/** What is wrong with the ledger of a workspace that was granted credits before its runs were created. */
export function ledgerBreaches(entries: LedgerEntry[], runs: Run[], left: unknown): string[] {
  const ofRun = Map.groupBy(entries, ({ run_id }) => run_id);
  const breaches = runs.flatMap(({ id, usage }) => {
    const own = ofRun.get(id) ?? [];
    const kinds = own.map(({ kind }) => kind).join(' ');
    const drawn = -own.reduce((sum, { credits }) => sum + credits, 0);
    const settled = kinds === 'hold settle' && drawn === usage.credits_used;
    return settled ? [] : [`run ${id} used ${usage.credits_used}, the ledger has ${kinds}: ${drawn}`];
  });
  const dense = entries.every(({ number }, i) => number === (entries[0]?.number ?? 0) + i);
  const last = entries.at(-1)?.credits_left;
  return [
    ...breaches,
    ...(dense ? [] : ['the ledger has a gap']),
    ...(last === left ? [] : [`the ledger ends at ${last}, the balance is ${left}`]),
  ];
}
