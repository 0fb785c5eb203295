// One slice of a run: consecutive steps, each committed, until the run ends, pauses, or the slice's time is up.
import { unpricedWarnings } from '#domain/billing/unpriced.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { stepAt } from '#domain/runs/step-records.ts';
import type { Sources } from '#sources/source.ts';
import { closingMessage } from '#steps/closing.ts';
import type { StepOutput } from '#steps/step.ts';
import { type RunRecord, retryIfStale } from '#store/runs.ts';
import { type Taken, takeOver } from './acquire-lease.ts';
import { afterFailure, afterStep } from './after-step.ts';
import { settle } from './finalize-run.ts';
import type { Meter, ModelSetting } from './model-calls.ts';
import { makePlan } from './plan-run.ts';
import { type Decision, LostRun } from './run-lease.ts';
import { runStep, type StepOutcome, type Workbench } from './run-step.ts';
import { saveOutput } from './save-output.ts';

export interface SliceSetting extends ModelSetting {
  sourcesFor(run: RunRecord, meter: Meter): Sources;
  /** How long a slice may begin model calls. */
  slice_ms: number;
  steps_per_slice: number | undefined;
}

/** What the state machine does next: another slice, wait for the end of maintenance, or nothing more. */
export type NextAction = 'continue' | 'park' | 'end';

/** A run keeps so many errors of single items; its record must stay far below what an item of the table may weigh. */
const RUN_ERRORS_MAX = 200;

/**
 * Goes on with a run from where the store says it stands. Safe to repeat and to run twice at once: the newer invocation takes
 * the run over and the older one's next commit fails.
 */
export async function executeSlice(
  place: { workspace_id: string; run_id: string },
  setting: SliceSetting,
): Promise<NextAction> {
  const taken = await retryIfStale(() => takeOver(place));
  if (typeof taken === 'string') return taken;
  try {
    return await work(taken, setting);
  } catch (error) {
    if (error instanceof LostRun) return 'end';
    throw error;
  }
}

async function work(
  { held, input, plan: saved, fresh: begun }: Taken,
  setting: SliceSetting,
): Promise<NextAction> {
  const deadline = Date.now() + setting.slice_ms;
  const plan = saved ?? (await makePlan(held, input, setting, deadline));
  if (!plan) return held.run.status === 'paused' ? 'park' : 'end';
  const bench: Workbench = {
    held,
    plan,
    setting,
    sourcesFor: (meter) => setting.sourcesFor(held.run, meter),
    outputs: new Map(),
    deadline,
  };
  // A plan made just now has begun its first step, too.
  let fresh = begun || !saved;
  for (let done = 0; ; done += 1) {
    if (done > 0 && (Date.now() > deadline || done === setting.steps_per_slice)) return 'continue';
    const position = held.run.position;
    const outcome = await runStep(bench, position, fresh);
    fresh = true;
    const action = await commitOutcome(bench, position, outcome);
    if (action) return action;
  }
}

/** Writes what a step came to. Undefined: the next step has begun. */
async function commitOutcome(
  bench: Workbench,
  position: number,
  outcome: StepOutcome,
): Promise<NextAction | undefined> {
  const { held } = bench;
  if (outcome.kind === 'unfinished') {
    await held.commit((run) => {
      const { change, effects } = outcome.meter.dues(run);
      return { change, effects };
    });
    return 'continue';
  }
  const decide = await decisionOn(bench, position, outcome);
  const run = await held.commit((before) => {
    const dues = outcome.meter.dues(before);
    const unpriced = unpricedWarnings(outcome.meter.unpriced, bench.plan.steps[position]?.index);
    const warnings = [...before.warnings, ...outcome.warnings, ...unpriced];
    const errors = [...before.errors, ...outcome.errors].slice(0, RUN_ERRORS_MAX);
    const noted = { ...dues.change, warnings, errors };
    const decision = decide({ ...before, ...noted });
    return {
      ...decision,
      change: { ...noted, ...decision.change },
      effects: [...dues.effects, ...(decision.effects ?? [])],
    };
  });
  if (run.status === 'paused') return 'park';
  if (!isTerminal(run)) return undefined;
  await settle(run);
  return 'end';
}

/** Prepares what is to be saved of the step, and the pure decision that each try of the commit makes anew. */
async function decisionOn(
  bench: Workbench,
  position: number,
  outcome: Exclude<StepOutcome, { kind: 'unfinished' }>,
): Promise<(run: RunRecord) => Decision> {
  const { held, plan } = bench;
  if (outcome.kind === 'failed') return (run) => afterFailure(run, plan, position, outcome.error);
  const { step } = stepAt(held.run.steps, plan, position);
  bench.outputs.set(position, outcome.output);
  const saved = await saveOutput(
    held.run,
    position,
    step.index,
    withMessage(bench, position, outcome.output),
  );
  const { asked } = outcome.meter;
  const itemsOut = outcome.output.items?.length;
  return (run) => afterStep(run, plan, { position, asked, itemsOut, saved });
}

/** A run in which no step wrote an answer still ends with a message (Contract 4.6). */
function withMessage({ held, plan }: Workbench, position: number, output: StepOutput): StepOutput {
  const last = position === plan.steps.length - 1;
  if (!last || output.message !== undefined || held.run.message !== null) return output;
  return { ...output, message: output.text ?? closingMessage(plan.title, output.items ?? []) };
}
