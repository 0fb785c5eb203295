// The SDK's fold of a log must equal the envelope, whichever earlier envelope it starts from.
import { isDeepStrictEqual } from 'node:util';
import type { RunEvent } from '#contract/events.ts';
import type { RunEnvelope } from '#contract/runs.ts';
import { type RunState, reduce, withPlan } from '../../../clients/sdk/reduce.ts';
import type { Run, RunEvent as SdkEvent } from '../../../clients/sdk/types.ts';

/** What a log contains about a run; message, notes, and the cost of a canceled run are in its envelope only. */
function told(run: RunState) {
  const { status, resumable, resume_count, artifacts, steps, usage } = run;
  const canceled = status === 'canceled';
  return {
    ...{ status, resumable, resume_count, artifacts },
    completed_at: canceled || run.completed_at,
    credits_used: canceled || usage.credits_used,
    steps: steps.map(({ progress, retries: _, started_at: __, ...step }) => ({
      ...step,
      ...(progress && { progress }),
    })),
  };
}

/** The starts of a run and of its steps. */
const startsOf = ({ started_at, steps }: RunState) => [started_at, ...steps.map((step) => step.started_at)];

/** Whether each start is in the log, and not before it was: a short step's is committed with what follows. */
function startsAgree(folded: RunState, last: RunState): boolean {
  const known = startsOf(last);
  return startsOf(folded).every((at, i) =>
    at === undefined ? known[i] === undefined : at >= (known[i] ?? Infinity),
  );
}

/** An envelope as a client reads it: what is undefined does not travel. */
const asRead = (run: RunEnvelope): Run => JSON.parse(JSON.stringify(run));

/** Whether the events after an envelope lead from it to the final one. A query gets its plan after it was created. */
export function foldsTo(final: RunEnvelope, from: RunEnvelope, later: RunEvent[]): boolean {
  const last = asRead(final);
  const start = withPlan(asRead(from), last);
  const folded = later.reduce((state: RunState, event) => reduce(state, event as SdkEvent), start);
  return isDeepStrictEqual(told(folded), told(last)) && startsAgree(folded, last);
}
