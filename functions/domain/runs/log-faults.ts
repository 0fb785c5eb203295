// Whether the log of an ended run is legal and leads to the stored run (rules.md: states 4).
import * as z from 'zod';
import { finalEventTypes, type RunEvent } from '#contract/events.ts';
import type { EndedRun } from '#store/runs/run-record.ts';
import { type Phase, phaseOf, transitionsBy } from './legal-transitions.ts';
import { type LoggedStep, loggedStep, reopened, sameSteps, stepsAfter, unbegun } from './logged-steps.ts';

/** What a log says of its run. */
interface LoggedRun {
  /** Where the run may be: a cancel and a resume have no event of their own. */
  phases: readonly Phase[];
  steps: readonly LoggedStep[];
  resumes: number;
}

const End = z.object({
  duration_ms: z.number().optional(),
  credits_used: z.number().optional(),
  error: z.object({ code: z.string() }).optional(),
});

/** What is wrong with the log of a run, in fixed words; undefined: nothing. `commits`: the events of each. */
export function faultInLog(run: EndedRun, commits: readonly (readonly RunEvent[])[]): string | undefined {
  const events = commits.flat();
  const dense = events.every(({ sequence }, i) => sequence === i + 1);
  if (!dense || events.length !== run.last_sequence) return 'the log has a gap';
  if (events.some(({ occurred_at }, i) => occurred_at < (events[i - 1]?.occurred_at ?? 0)))
    return 'time runs backwards';
  let logged: LoggedRun | undefined = { phases: ['none'], steps: stepsInBeginning(run), resumes: 0 };
  for (const commit of commits) {
    logged = afterCommit(logged, commit);
    if (!logged) return 'an event may not follow';
  }
  return differenceOf(run, logged, events);
}

/** The steps before the first event: a rerun is created with skipped ones. */
function stepsInBeginning(run: EndedRun): LoggedStep[] {
  return run.steps.map((step, position) =>
    position < run.inherited.length
      ? { index: step.index, status: 'skipped', attempt: 0, items_out: step.items_out }
      : unbegun(step.index),
  );
}

/** The run after the events of one commit; undefined if no legal commit has them. */
function afterCommit(logged: LoggedRun, events: readonly RunEvent[]): LoggedRun | undefined {
  const types = events.map(({ event_type }) => event_type);
  const silently = logged.phases.flatMap((phase) => transitionsBy(phase, []).map(({ after }) => after));
  const phases = [...logged.phases, ...silently].flatMap((phase) =>
    transitionsBy(phase, types).map(({ after }) => after),
  );
  if (phases.length === 0) return undefined;
  const isResumed = logged.phases.includes('failed');
  let steps: readonly LoggedStep[] | undefined = isResumed ? reopened(logged.steps) : logged.steps;
  for (const event of events) steps = steps && stepsAfter(steps, event);
  return steps && { phases: [...new Set(phases)], steps, resumes: logged.resumes + (isResumed ? 1 : 0) };
}

function differenceOf(
  run: EndedRun,
  { phases, steps, resumes }: LoggedRun,
  events: readonly RunEvent[],
): string | undefined {
  const last = events.at(-1);
  const end = End.safeParse(last?.data).data;
  const done = run.steps.filter(({ status }) => status === 'completed' || status === 'skipped').length;
  const created = events.flatMap(({ event_type, data }) =>
    event_type === 'artifact.created' ? [data.artifact_id] : [],
  );
  const lasted = Math.max(0, run.completed_at - run.created_at);
  const drawn = run.credits_at_most !== undefined;
  const credits = run.status === 'failed' && drawn ? 0 : end?.credits_used;
  const isCanceled = run.status === 'canceled';
  const claims: [what: string, holds: boolean][] = [
    ['the log is not over', last !== undefined && finalEventTypes.includes(last.event_type)],
    ['the status differs', phases.includes(phaseOf(run))],
    ['the steps differ', sameSteps(steps, run.steps.map(loggedStep))],
    ['the position differs', run.position === done],
    ['the resumes differ', run.resume_count === resumes],
    ['the artifacts differ', created.join() === run.artifacts.map(({ id }) => id).join()],
    ['the time of the end differs', isCanceled || end?.duration_ms === lasted],
    ['the time of the last event differs', last?.occurred_at === run.last_event_at],
    // What a canceled run draws is in its envelope only.
    [
      'the credits differ',
      isCanceled ? drawn === (typeof run.credits_used === 'number') : credits === run.credits_used,
    ],
    ['the error differs', run.status !== 'failed' || end?.error?.code === run.errors.at(-1)?.code],
  ];
  return claims.find(([, holds]) => !holds)?.[0];
}
