// Every way in which one commit may change a run, as plain data. The sweep checks the logs of ended runs against it,
// the simulation every commit (rules.md: states 4).
import type { EventType } from '#contract/events.ts';
import type { RunStatus } from '#contract/runs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/** The status of a run, and what a status alone does not show; `canceling`: canceled, its log not finished. */
export type Phase = 'none' | RunStatus | 'canceling' | 'deleted';

/** An event of a commit; `*`: any number of them, `?`: at most one. */
type EventPattern = EventType | `${EventType}*` | `${EventType}?`;

export interface LegalTransition {
  name: string;
  before: Phase;
  after: Phase;
  /** The events that the commit appends, in order. */
  events: readonly EventPattern[];
  /** Whether the commit makes a delivery, if the run asks for webhooks. */
  delivers: boolean;
}

/** The phase of a run; `undefined`: there is none. */
export function phaseOf(run: Pick<RunRecord, 'status' | 'log_finished'> | undefined): Phase {
  if (!run) return 'none';
  return run.status === 'canceled' && !run.log_finished ? 'canceling' : run.status;
}

function transition(
  name: string,
  before: Phase,
  after: Phase,
  events: readonly EventPattern[] = [],
): LegalTransition {
  const ends = before !== after && ['succeeded', 'failed', 'canceled'].includes(after);
  return {
    ...{ name, before, after, events },
    delivers: ends && after !== 'canceled',
  };
}

const done = ['artifact.created*', 'step.completed'] as const;

/** What the owner of a run commits while one of its steps runs. */
const ofRunningStep: readonly [name: string, after: Phase, events: readonly EventPattern[]][] = [
  ['works on', 'running', []],
  ['reports progress', 'running', ['step.progress']],
  ['retries', 'running', ['step.retrying']],
  ['begins the next step', 'running', [...done, 'step.started']],
  ['succeeds', 'succeeded', [...done, 'run.succeeded']],
  ['fails at its step', 'failed', ['step.failed', 'run.failed']],
  ['fails between steps', 'failed', [...done, 'run.failed']],
  ['waits for its model', 'paused', ['run.paused']],
];

/**
 * What the owner of a run commits that waits for its model, perhaps in a step. Its call may be the one that tries the
 * model, so that what follows the call is committed with the start.
 */
const ofWaitingStep: readonly [name: string, after: Phase, events: readonly EventPattern[]][] = [
  ['reports progress', 'running', ['run.started', 'step.progress']],
  ['retries', 'running', ['run.started', 'step.retrying']],
  ['begins the next step', 'running', ['run.started', ...done, 'step.started']],
  ['succeeds', 'succeeded', ['run.started', ...done, 'run.succeeded']],
  ['fails at its step', 'failed', ['run.started', 'step.failed', 'run.failed']],
  ['fails between steps', 'failed', ['run.started', ...done, 'run.failed']],
  ['fails without a step', 'failed', ['run.started', 'run.failed']],
  ['fails in its wait', 'failed', ['step.failed', 'run.failed']],
];

/** The events of a start. The log of a paused run already has its skipped steps. */
const starts = {
  pending: ['run.started', 'step.skipped*'],
  paused: ['run.started'],
} as const satisfies Partial<Record<Phase, readonly EventPattern[]>>;

function startsFrom(before: keyof typeof starts): LegalTransition[] {
  return [
    transition('starts without a plan', before, 'running', ['run.started']),
    // The start of a short step is committed with what follows it.
    ...ofRunningStep.map(([name, after, events]) =>
      transition(`starts and ${name}`, before, after, [...starts[before], 'step.started', ...events]),
    ),
    transition('fails before its start', before, 'failed', ['run.failed']),
    transition('is canceled', before, 'canceled', ['run.canceled']),
  ];
}

/** Owner, costs, execution, task token, pause request, due time: what no event reports. */
const changesSilently = (phase: Phase) => transition('changes without an event', phase, phase);

/** Every legal transition. */
export const legalTransitions: readonly LegalTransition[] = [
  transition('is created', 'none', 'pending', ['run.created', 'run.pre_validation?']),
  changesSilently('pending'),
  ...startsFrom('pending'),
  transition('pauses at its start', 'pending', 'paused', [...starts.pending, 'run.paused']),

  ...ofRunningStep.map(([name, after, events]) => transition(name, 'running', after, events)),
  transition('begins its first step', 'running', 'running', ['step.started']),
  transition('pauses between steps', 'running', 'paused', [...done, 'run.paused']),
  transition('pauses before its first step', 'running', 'paused', ['run.paused']),
  transition('fails without a step', 'running', 'failed', ['run.failed']),
  transition('is canceled while it runs', 'running', 'canceling'),
  // Nothing works on it.
  transition('is canceled while it waits for a job', 'running', 'canceled', ['run.canceled']),

  changesSilently('paused'),
  ...startsFrom('paused'),
  ...ofWaitingStep.map(([name, after, events]) => transition(`waits and ${name}`, 'paused', after, events)),

  changesSilently('canceling'),
  transition('reports progress', 'canceling', 'canceling', ['step.progress']),
  transition('retries', 'canceling', 'canceling', ['step.retrying']),
  transition('completes its canceled step', 'canceling', 'canceled', [...done, 'run.canceled']),
  transition('fails at its canceled step', 'canceling', 'canceled', ['step.failed', 'run.canceled']),
  transition('ends its cancel', 'canceling', 'canceled', ['run.canceled']),

  // A late call may still be counted.
  ...(['succeeded', 'failed', 'canceled'] as const).flatMap((end) => [
    changesSilently(end),
    transition('is deleted', end, 'deleted'),
  ]),
  transition('is resumed', 'failed', 'pending'),
];

/** The events as the text that patterns match: each followed by a blank. */
const textOf = (events: readonly string[]) => events.map((event) => `${event} `).join('');

function expressionOf(patterns: readonly EventPattern[]): RegExp {
  const parts = patterns.map((pattern) => {
    const [, type = '', times = ''] = /^(.*?)([*?]?)$/.exec(pattern) ?? [];
    return `(?:${type.replace('.', '\\.')} )${times}`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

const expressions = new Map(legalTransitions.map((one) => [one, expressionOf(one.events)]));

/** The legal transitions from a phase with these events. */
export function transitionsBy(before: Phase, events: readonly EventType[]): LegalTransition[] {
  const text = textOf(events);
  return legalTransitions.filter((one) => one.before === before && expressions.get(one)?.test(text));
}
