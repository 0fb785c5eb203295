// The sums of a run as stored: each commit writes them, and is billed per KB.
import { modelName } from '#contract/models.ts';

const SIMULATED = modelName({ provider: 'offline' });

interface Spending<S> {
  /** Only the simulated model works on the run. */
  sim?: true | undefined;
  spent: S;
}

/** The sums to store: without zeros, and without the name of the model that a simulated run has. */
export function spentToStore({ sim, spent }: Spending<object>): object {
  const isKnown = ([name, value]: [string, unknown]) =>
    value === 0 || (sim === true && name === 'model' && value === SIMULATED);
  return Object.fromEntries(Object.entries(spent).filter((entry) => !isKnown(entry)));
}

/** The sums of a stored run, with that name. */
export function spentOfStored<S extends { calls: number; model?: string | undefined }>({
  sim,
  spent,
}: Spending<S>): S {
  return sim && spent.calls > 0 && spent.model === undefined ? { ...spent, model: SIMULATED } : spent;
}
