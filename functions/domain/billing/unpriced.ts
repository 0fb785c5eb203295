// The warning about calls that are missing from a run's cost.
import type { Warning } from '#contract/events.ts';

/** Says how many calls could not be priced, and at which step they were made; nothing when there are none (Contract 4.4). */
export function unpricedWarnings(calls: number, stepIndex?: number): Warning[] {
  if (calls === 0) return [];
  return [
    {
      code: 'unpriced_usage',
      message: `${calls} model ${calls === 1 ? 'call' : 'calls'} came without usage or have no price; they are not in the cost.`,
      ...(stepIndex !== undefined && { step_index: stepIndex }),
      details: { calls },
    },
  ];
}
