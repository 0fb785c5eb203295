// The message of a run whose last step wrote none (rules.md: steps 12).
import { plainText } from '#platform/words.ts';
import { linkedName } from './record-links.ts';
import type { Item, StepOutput } from './step.ts';

const NAMED_MAX = 10;

/** Names a run's result: the number of items, and the first ten as links. */
export function closingMessage(runTitle: string, items: Item[]): string {
  if (items.length === 0) return `${runTitle}: nothing was found.`;
  const named = items.slice(0, NAMED_MAX).map(labelOf).join(', ');
  const more = items.length > NAMED_MAX ? ` and ${items.length - NAMED_MAX} more` : '';
  return `${runTitle}: ${items.length} ${items.length === 1 ? 'item' : 'items'}: ${named}${more}.`;
}

/** What tells an item from the others: of a group its values and measures. */
function labelOf(item: Item): string {
  if (item.kind !== 'group') return linkedName(item);
  return Object.entries(item.fields)
    .map(([field, value]) => `${field} ${plainText(value)}`)
    .join(' ');
}

/** The message, and how much of the records was judged where that was not all (rules.md: records). */
export function withJudged(message: string, judged: NonNullable<StepOutput['part']>[]): string {
  const notes = judged.map(
    ({ matched, taken }) => `Only the first ${taken} of ${matched} matching records could be judged.`,
  );
  return [message, ...notes].join('\n\n');
}
