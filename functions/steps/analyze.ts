// The step kind `analyze`: written findings about the items of earlier steps.
import { withKnownLinks } from '#platform/markdown.ts';
import { countsOf, gather, shown } from './context.ts';
import { linkable } from './record-links.ts';
import type { Step } from './step.ts';
import { isAboutNothing, warnUnverified } from './unverified.ts';

const MAX_TOKENS = 2000;
const NOTHING = 'No item and no text came in, so there was nothing to analyze.';

/** Writes findings about items and texts of earlier steps in one model call (rules.md: steps 7). Throws ModelError. */
export const analyze: Step<'analyze'> = async (context) => {
  const { context_step_ids, focus = '', max_tokens = MAX_TOKENS } = context.params;
  const gathered = await gather(context, context_step_ids);
  if (isAboutNothing(context, gathered)) return { in_vain: NOTHING, message: NOTHING };
  const { findings } = await context.call('analyze', {
    instructions: context.instructions,
    focus,
    max_tokens,
    found: countsOf(gathered.items),
    ...shown(context, gathered),
  });
  const text = withKnownLinks(findings, await linkable(gathered.items, gathered.texts));
  await warnUnverified(context, [text], gathered);
  return { text, message: text };
};
