// Whether a record speaks to its judge, about instructions or about other records. A few patterns: they find what is
// plain, and a false alarm only costs a call, because the record is judged alone (rules.md: models 16).
import { plainText } from '#platform/words.ts';

const SPOKEN: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instructions?|requests?|rules?|prompt|previous|above|before)\b/i,
  /\b(?:all|any|every|other|remaining|following|these|above) (?:of the )?(?:items?|records?|entries|verdicts?|candidates|batch)\b/i,
  /\b(?:keep|drop|reject|accept|discard|remove)\b.{0,40}\b(?:items?|records?|others|everything|verdicts?)\b/i,
  /\b(?:system|assistant|developer|user)\s*:/i,
  /\b(?:system prompt|new instructions?|verdicts?|as the assistant|you are (?:now )?an? )/i,
  /\b(?:ignorier\w*|vergiss|beachte nicht)\b.{0,60}\b(?:anweisung\w*|regeln?|anfrage|vorherige\w*)\b/i,
  /<\/?(?:data|request|system|instructions?)>/i,
];
/** More of a text is not looked at. */
const CHARACTERS_MAX = 100_000;

export function addressesJudge(fields: unknown): boolean {
  const said = plainText(fields).slice(0, CHARACTERS_MAX);
  return SPOKEN.some((pattern) => pattern.test(said));
}
