// What the models promise: each promise with the rule it stands for, the code that keeps it, and the protections
// without which the checker has to refute it.
import { job } from './job-promises.ts';

export type SpecName = 'Run' | 'Money' | 'Delivery' | 'Job';

/** Values of the constants of a model. */
export type Bounds = Readonly<Record<string, number | string>>;

export interface Promised {
  /** Its definition in the model. */
  name: string;
  kind: 'always' | 'no action' | 'in the end';
  /** As code cites it, so the test of citations knows it. */
  rule: string;
  /** The code that keeps it. */
  file: string;
  /** What is taken out, and the least bounds that show it. */
  without: readonly { protection: string; bounds?: Bounds }[];
}

/** One complete search of a model. */
interface Search {
  bounds: Bounds;
  /** Everything that always holds and that no action does, or what happens in the end. */
  checks: 'safety' | 'liveness';
}

export interface Model {
  name: SpecName;
  /** Of a part of the model that is searched alone. */
  promises: readonly Promised[];
  searches: readonly Search[];
  /** The bounds of a refutation, where it does not say others. */
  least: Bounds;
}

const runs = (MaxFaults: number, MaxResumes: number, MaxMaintenances: number, MaxLates: number): Bounds => ({
  ...{ MaxTasks: 2, Steps: 2, MaxFaults, MaxResumes, MaxMaintenances, MaxLates, MaxOutages: 0 },
});
/** With a model that goes away. */
const outage = (bounds: Bounds, Steps = 1): Bounds => ({ ...bounds, Steps, MaxOutages: 1 });
const calls = (Calls: number, MaxFaults: number, MaxResumes = 0): Bounds => ({
  ...{ Part: 'calls', Calls, MaxTasks: 2, MaxFaults, MaxResumes },
});
const holds = (MaxFaults: number, MaxResumes: number): Bounds => ({
  ...{ Part: 'holds', Calls: 1, MaxTasks: 1, MaxFaults, MaxResumes },
});
const deliveries = (MaxFaults: number, MaxRedeliveries: number): Bounds => ({
  ...{ MaxInvocations: 2, Attempts: 2, MaxRedeliveries, MaxFaults },
});

const run: Model = {
  name: 'Run',
  least: runs(1, 0, 0, 0),
  searches: [
    { checks: 'safety', bounds: runs(1, 1, 0, 1) },
    { checks: 'safety', bounds: runs(2, 0, 0, 0) },
    { checks: 'safety', bounds: runs(1, 0, 1, 0) },
    { checks: 'safety', bounds: runs(0, 0, 2, 0) },
    { checks: 'liveness', bounds: runs(1, 0, 1, 0) },
    { checks: 'safety', bounds: outage(runs(1, 0, 0, 0)) },
    { checks: 'safety', bounds: outage(runs(0, 1, 0, 1), 2) },
    { checks: 'safety', bounds: outage(runs(0, 0, 1, 1), 2) },
    { checks: 'liveness', bounds: outage(runs(1, 0, 0, 0)) },
  ],
  promises: [
    {
      name: 'StepsCompleteOnce',
      kind: 'always',
      rule: 'rules.md: steps 14',
      file: 'functions/domain/execution/run-lease.ts',
      without: [{ protection: 'lease' }],
    },
    {
      name: 'OneEnd',
      kind: 'always',
      rule: 'rules.md: cancel 4',
      file: 'functions/store/runs/runs.ts',
      without: [{ protection: 'version' }],
    },
    {
      name: 'EndedRunsRest',
      kind: 'always',
      rule: 'rules.md: cancel 2',
      file: 'functions/domain/commands/cancel-run.ts',
      without: [{ protection: 'cancel waits' }],
    },
    {
      name: 'OpenRunsAreDue',
      kind: 'always',
      rule: 'rules.md: states 3',
      file: 'functions/domain/commands/resume-run.ts',
      without: [{ protection: 'due again', bounds: runs(0, 1, 0, 0) }],
    },
    {
      name: 'ReplacedTasksAreSilent',
      kind: 'always',
      rule: 'rules.md: resume 7',
      file: 'functions/domain/runs/lifecycle.ts',
      without: [{ protection: 'replaced', bounds: runs(1, 1, 0, 1) }],
    },
    {
      name: 'StatusesAreLegal',
      kind: 'no action',
      rule: 'rules.md: states 1',
      file: 'functions/domain/commands/resume-run.ts',
      without: [{ protection: 'only failed', bounds: runs(0, 1, 0, 0) }],
    },
    {
      name: 'EndedRunsAreFinal',
      kind: 'no action',
      rule: 'rules.md: states 1',
      file: 'functions/domain/runs/transitions.ts',
      without: [{ protection: 'owner cleared', bounds: runs(1, 0, 0, 1) }],
    },
    {
      name: 'MaintenanceStopsSteps',
      kind: 'no action',
      rule: 'rules.md: maintenance 1',
      file: 'functions/domain/workspaces/maintenance.ts',
      without: [{ protection: 'paused runs asked', bounds: runs(0, 0, 2, 0) }],
    },
    {
      name: 'DeadlinesStopSteps',
      kind: 'no action',
      rule: 'rules.md: deadlines 2',
      file: 'functions/domain/execution/after-step.ts',
      without: [{ protection: 'deadline', bounds: runs(0, 0, 0, 1) }],
    },
    {
      name: 'ParkedRunsAreWoken',
      kind: 'always',
      rule: 'rules.md: maintenance 2',
      file: 'functions/domain/execution/park-run.ts',
      without: [{ protection: 'token first', bounds: runs(0, 0, 1, 0) }],
    },
    {
      name: 'EveryRunEnds',
      kind: 'in the end',
      rule: 'rules.md: states 3',
      file: 'functions/domain/recovery/sweep-runs.ts',
      without: [
        { protection: 'sweep' },
        // Nothing else ends the wait of an execution whose run another task has started.
        { protection: 'park timeout', bounds: runs(1, 0, 1, 0) },
        { protection: 'away ends', bounds: outage(runs(0, 0, 0, 0)) },
        { protection: 'claim ends', bounds: outage(runs(1, 0, 0, 0)) },
      ],
    },
    {
      name: 'PausesAndStartsAlternate',
      kind: 'always',
      rule: 'rules.md: waits 2',
      file: 'functions/domain/execution/run-lease.ts',
      without: [
        { protection: 'stays paused', bounds: outage(runs(0, 0, 0, 0)) },
        { protection: 'started once', bounds: outage(runs(0, 0, 0, 0)) },
        // Maintenance takes the place of a wait whose call tries the model.
        { protection: 'unchanged since its wait', bounds: outage(runs(0, 0, 1, 0), 2) },
      ],
    },
    {
      name: 'NoAnswerIsPaidTwice',
      kind: 'always',
      rule: 'rules.md: steps 14',
      file: 'functions/store/runs/journal.ts',
      without: [{ protection: 'journal read', bounds: outage(runs(0, 0, 0, 0)) }],
    },
    {
      name: 'OneCallProbes',
      kind: 'always',
      rule: 'rules.md: models 20',
      file: 'functions/domain/models/ask-model.ts',
      without: [{ protection: 'one prober', bounds: outage(runs(0, 0, 0, 0)) }],
    },
  ],
};

const money: Model = {
  name: 'Money',
  least: calls(2, 1),
  searches: [
    { checks: 'safety', bounds: calls(1, 2, 1) },
    { checks: 'safety', bounds: calls(2, 2) },
    { checks: 'safety', bounds: holds(2, 1) },
    { checks: 'liveness', bounds: holds(2, 1) },
  ],
  promises: [
    {
      name: 'NoReplyCountsTwice',
      kind: 'always',
      rule: 'rules.md: usage 5',
      file: 'functions/domain/billing/uncounted-usage.ts',
      without: [{ protection: 'difference' }, { protection: 'recognized', bounds: calls(1, 1) }],
    },
    {
      name: 'EveryReplyCounts',
      kind: 'always',
      rule: 'rules.md: usage 8',
      file: 'functions/domain/execution/settle-calls.ts',
      without: [
        { protection: 'settlement' },
        { protection: 'journal settled' },
        { protection: 'journal after the end' },
        { protection: 'run unchanged', bounds: calls(1, 2) },
      ],
    },
    {
      name: 'RunAndDayAgree',
      kind: 'always',
      rule: 'rules.md: usage 8',
      file: 'functions/store/money/costs.ts',
      without: [{ protection: 'one commit' }],
    },
    {
      name: 'NoReplyIsPaidTwice',
      kind: 'always',
      rule: 'rules.md: steps 14',
      file: 'functions/store/runs/journal.ts',
      without: [{ protection: 'journal read' }],
    },
    {
      name: 'CreditsAddUp',
      kind: 'always',
      rule: 'rules.md: credits 2',
      file: 'functions/store/money/slots.ts',
      without: [{ protection: 'claim once', bounds: holds(0, 0) }],
    },
    {
      name: 'RunsPayOnce',
      kind: 'always',
      rule: 'rules.md: credits 2',
      file: 'functions/store/money/ledger.ts',
      without: [{ protection: 'ledger asked', bounds: holds(0, 0) }],
    },
    {
      name: 'OpenRunsHaveSlots',
      kind: 'always',
      rule: 'rules.md: capacity 1',
      file: 'functions/domain/runs/reconcile-slots.ts',
      without: [
        { protection: 'time of the claim', bounds: holds(0, 1) },
        { protection: 'patience', bounds: holds(0, 0) },
      ],
    },
    {
      name: 'EndedRunsPay',
      kind: 'always',
      rule: 'rules.md: credits 2',
      file: 'functions/domain/billing/reservations.ts',
      without: [{ protection: 'use charged', bounds: holds(0, 0) }],
    },
    {
      name: 'EveryHoldSettles',
      kind: 'in the end',
      rule: 'rules.md: states 3',
      file: 'functions/domain/recovery/sweep-slots.ts',
      without: [{ protection: 'reconciling', bounds: holds(1, 0) }],
    },
  ],
};

const delivery: Model = {
  name: 'Delivery',
  least: deliveries(1, 1),
  searches: [
    { checks: 'safety', bounds: deliveries(2, 1) },
    { checks: 'liveness', bounds: deliveries(1, 1) },
  ],
  promises: [
    {
      name: 'NoEndIsForgotten',
      kind: 'always',
      rule: 'rules.md: webhooks 5',
      file: 'functions/domain/runs/transitions.ts',
      without: [{ protection: 'row in the commit' }],
    },
    {
      name: 'AttemptsAreRecordedOnce',
      kind: 'always',
      rule: 'rules.md: webhooks 4',
      file: 'functions/store/runs/deliveries.ts',
      without: [{ protection: 'recorded once' }],
    },
    {
      name: 'OneInvocationPosts',
      kind: 'always',
      rule: 'rules.md: webhooks 4',
      file: 'functions/store/runs/deliveries.ts',
      without: [{ protection: 'claim' }],
    },
    {
      name: 'AttemptsRepeatOnlyAfterCrashes',
      kind: 'always',
      rule: 'rules.md: webhooks 4',
      file: 'functions/domain/webhooks/deliver.ts',
      without: [{ protection: 'next attempt only', bounds: deliveries(0, 0) }],
    },
    {
      name: 'PendingDeliveriesAreDue',
      kind: 'always',
      rule: 'rules.md: webhooks 5',
      file: 'functions/domain/webhooks/redeliver.ts',
      without: [{ protection: 'due again' }],
    },
    {
      name: 'AttemptsAreBounded',
      kind: 'always',
      rule: 'rules.md: webhooks 3',
      file: 'functions/domain/webhooks/deliver.ts',
      without: [{ protection: 'last attempt', bounds: deliveries(0, 1) }],
    },
    {
      name: 'OverIsOver',
      kind: 'no action',
      rule: 'rules.md: webhooks 4',
      file: 'functions/store/runs/deliveries.ts',
      without: [{ protection: 'pending only', bounds: deliveries(0, 0) }],
    },
    {
      name: 'EveryDeliveryEnds',
      kind: 'in the end',
      rule: 'rules.md: webhooks 5',
      file: 'functions/domain/recovery/resend-overdue-deliveries.ts',
      without: [{ protection: 'sweep' }],
    },
  ],
};

export const models: readonly Model[] = [run, money, delivery, job];
