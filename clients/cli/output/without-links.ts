// Record links in texts for people: the label alone.
import { parseRecordLinks } from '../../sdk/index.ts';

/** The text with the label in place of each record link. */
export function withoutLinks(text: string): string {
  return parseRecordLinks(text)
    .map((part) => (typeof part === 'string' ? part : part.label))
    .join('');
}
