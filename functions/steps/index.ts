// The registry of step kinds, complete by type.
import type { StepKind } from '#contract/steps.ts';
import { analyze } from './analyze.ts';
import { discover } from './discover.ts';
import { fetch } from './fetch.ts';
import { filter } from './filter.ts';
import { injectContext } from './inject-context.ts';
import { reconstitute } from './reconstitute.ts';
import type { Step } from './step.ts';
import { transform } from './transform.ts';
import { vectorSearch } from './vector-search.ts';

/** The implementation of each kind; a kind of the contract without one does not compile. */
export const steps: { readonly [K in StepKind]: Step<K> } = {
  fetch,
  vector_search: vectorSearch,
  filter,
  transform,
  analyze,
  discover,
  reconstitute,
  inject_context: injectContext,
};
