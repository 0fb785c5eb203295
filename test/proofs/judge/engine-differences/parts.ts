// Parts of answers, for what is accepted of their differences.
import { isObject, type Json } from '../../../../lib/local/json-values.ts';
import type { Answer } from './engines.ts';
import { stable } from './normal-form.ts';

/** The answer with the candidate's member instead of its own. */
export function withMember(answer: Answer, member: string, value: Json | undefined): Answer {
  return { ...answer, body: { ...answer.body, [member]: value } };
}

/** Whether everything of the small value is in the great one; elements of lists in their order. */
export function isPartOf(small: Json | undefined, great: Json | undefined): boolean {
  if (Array.isArray(small) && Array.isArray(great)) {
    let from = 0;
    return small.every((one) => {
      const at = great.findIndex((other, index) => index >= from && isPartOf(one, other));
      from = at + 1;
      return at >= 0;
    });
  }
  if (!isObject(small) || !isObject(great)) return stable(small) === stable(great);
  return Object.entries(small).every(([name, member]) => isPartOf(member, great[name]));
}
