// The step kind `analyze`: written findings about the items of earlier steps.
import { promptSize } from '#models/prompt-bytes.ts';
import { withKnownLinks } from '#platform/linked-markdown.ts';
import { readable } from './divided.ts';
import { linkable } from './link-records.ts';
import type { Step } from './step.ts';
import { countsOf, gather } from './step-input.ts';
import { isAboutNothing, warnUnverified } from './unverified.ts';

const MAX_TOKENS = 2000;
const NOTHING = 'No item and no text came in, so there was nothing to analyze.';

/**
 * Writes findings about items and texts of earlier steps in one model call (rules.md: steps 7), or in one for each
 * group of items and one that joins them. Throws ModelError.
 */
export const analyze: Step<'analyze'> = async (context) => {
  const { context_step_ids, focus = '', max_tokens = MAX_TOKENS } = context.params;
  const { instructions } = context;
  const gathered = await gather(context, context_step_ids);
  if (isAboutNothing(context, gathered)) return { in_vain: NOTHING, message: NOTHING };
  const asked = { instructions, focus, max_tokens, found: countsOf(gathered.items) };
  const taken = promptSize('analyze', { ...asked, items: [], context: [] });
  const part = await readable(context, gathered, { task: 'analyze', instructions, focus, taken });
  const { findings } = await context.call('analyze', { ...asked, ...part });
  const text = withKnownLinks(findings, linkable(gathered.items, gathered.texts));
  warnUnverified(context, [text], gathered);
  return { text, message: text };
};
