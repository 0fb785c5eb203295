// Differences that are accepted: each with its reason, and as narrow as can be.
import type { Asked } from './asked.ts';
import type { Answer } from './engines.ts';

/** What both engines answered to one operation, in normal form. */
export interface Compared {
  asked: Asked;
  reference: Answer;
  candidate: Answer;
}

/** A difference that is not the candidate's fault. */
export interface Accepted {
  reason: string;
  /** Either what the candidate must answer instead of the reference's answer … */
  instead?(compared: Compared): Answer | undefined;
  /** … or whether the difference is left open. */
  leavesOpen?(compared: Compared): boolean;
}

/** Accepts another message for the same code: the reference's, and the candidate's replacement. */
export function words(reason: string, reference: RegExp, candidate: string | RegExp): Accepted {
  return {
    reason,
    leavesOpen({ reference: { refusal: expected }, candidate: { refusal: actual } }) {
      if (!expected || !actual || expected.code !== actual.code || !reference.test(expected.message))
        return false;
      if (typeof candidate !== 'string') return candidate.test(actual.message);
      return expected.message.replace(reference, candidate) === actual.message;
    },
  };
}
