// The registry of step kinds, complete by type.
import type { StepKind } from '#contract/steps.ts';
import { analyze } from './analyze-step.ts';
import { discover } from './discover-step.ts';
import { fetch } from './fetch-step.ts';
import { filter } from './filter-step.ts';
import { injectContext } from './inject-context-step.ts';
import { reconstitute } from './reconstitute-step.ts';
import type { Step } from './step.ts';
import { transform } from './transform-step.ts';
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
