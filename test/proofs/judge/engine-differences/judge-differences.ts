// The verdict on two engines: how much was asked, what was accepted and why, and what is left.
import type { Accepted } from './accepted.ts';
import { dynamoDbLocalDiffers } from './dynamodb-local-differs.ts';
import { dynoxideDiffers } from './dynoxide-differs.ts';
import type { ComparedEngine } from './engines.ts';
import { type Finding, judgeRounds, kindOf } from './rounds.ts';

/** What is judged, and how long. */
export interface Judging {
  reference: ComparedEngine;
  candidate: ComparedEngine;
  operations: number;
  seed: number;
  /** Called with the first difference of each kind. */
  tell(text: string): void;
}

export interface Verdict {
  reference: string;
  candidate: string;
  seed: number;
  operations: number;
  /** How many of these the reference refused. */
  refused: number;
  /** How many differences were accepted, by their reasons. */
  accepted: Record<string, number>;
  /** How many are on no list. */
  differences: number;
  kinds: Record<string, number>;
  took_s: number;
}

const LINE_MOST = 900;

/** What may differ from an engine. */
const lists: Readonly<Record<string, readonly Accepted[]>> = {
  'DynamoDB Local': dynamoDbLocalDiffers,
  dynoxide: dynoxideDiffers,
};

/** Asks both, reports the differences, and stops them. */
export async function judgeDifferences(judging: Judging): Promise<Verdict> {
  const { reference, candidate, operations, seed, tell } = judging;
  const accepted = lists[reference.name] ?? [];
  const reasons: Record<string, number> = {};
  const noted = (reason: string) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
  const began = Date.now();
  try {
    const judged = { reference, candidate, accepted, noted };
    const tally = await judgeRounds(judged, { seed, operations }, (finding) => tell(told(finding)));
    return {
      reference: reference.name,
      candidate: candidate.name,
      seed,
      operations: tally.operations,
      refused: tally.refused,
      accepted: reasons,
      differences: Object.values(tally.kinds).reduce((sum, count) => sum + count, 0),
      kinds: tally.kinds,
      took_s: Math.round((Date.now() - began) / 1000),
    };
  } finally {
    await reference.stop();
    await candidate.stop();
  }
}

/** A difference, and all that leads to it. */
function told({ seed, tables, history, difference }: Finding): string {
  const { found, asked, reference, candidate } = difference;
  return [
    `# ${kindOf(difference)} (seed ${seed})`,
    `tables ${JSON.stringify(tables)}`,
    ...history.map(({ operation, input }) => `${operation} ${JSON.stringify(input)}`),
    ...(found === asked ? [] : [`found by ${found.operation} ${JSON.stringify(found.input)}`]),
    `reference ${JSON.stringify(reference)}`,
    `candidate ${JSON.stringify(candidate)}`,
  ]
    .map((line) => line.slice(0, LINE_MOST))
    .join('\n    ');
}
