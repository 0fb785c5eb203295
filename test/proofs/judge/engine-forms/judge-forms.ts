// Compares two engines by the same requests: both accept the same ones, refuse the others with the same code, and
// answer the same.
import type { Json } from '../../../../lib/local/json-values.ts';
import { isObject } from '../../../../lib/local/json-values.ts';
import { random } from '../../../support/random.ts';
import type { Answer, ComparedEngine } from './engines.ts';
import { createInput, formOf } from './forms.ts';

/** What is judged, and how long. */
export interface Judging {
  reference: ComparedEngine;
  candidate: ComparedEngine;
  operations: number;
  seed: number;
}

export interface Verdict {
  reference: string;
  seed: number;
  operations: number;
  /** How many of these the reference refused. */
  refused: number;
  differences: string[];
}

/** Without the order of members, of sets and of equal index keys, and with numbers as they are, not as written. */
function plain(value: Json | undefined, name = ''): Json {
  if (Array.isArray(value)) {
    const all = value.map((one) => plain(one));
    return name === 'SS' || name === 'Items'
      ? all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : all;
  }
  if (!isObject(value)) return value ?? null;
  const names = Object.keys(value).sort();
  const members = names.flatMap((one) => (one === 'Message' ? [] : [[one, plain(value[one], one)] as const]));
  return Object.fromEntries(members);
}

/** For the store an invalid request is refused, alone or by the reasons of its transaction. */
function answered({ refusal, body }: Answer): string {
  if (!refusal) return JSON.stringify(plain(body));
  const reasons = JSON.stringify(plain(body.CancellationReasons));
  const isInvalid = refusal.code === 'ValidationException' || reasons.includes('"ValidationError"');
  return isInvalid ? 'invalid' : refusal.code + reasons;
}

/** Asks both, stops them, and reports what differs; with no difference they are interchangeable for the store. */
export async function judgeForms({ reference, candidate, operations, seed }: Judging): Promise<Verdict> {
  const chance = random(seed);
  const differences: string[] = [];
  let refused = 0;
  try {
    for (const engine of [reference, candidate]) await engine.ask('CreateTable', createInput);
    for (let asked = 0; asked < operations; asked += 1) {
      const [operation, input] = formOf(chance);
      const [expected, actual] = [
        await reference.ask(operation, input),
        await candidate.ask(operation, input),
      ];
      if (expected.refusal) refused += 1;
      if (answered(expected) === answered(actual)) continue;
      const shown = [operation, JSON.stringify(input), JSON.stringify(expected), JSON.stringify(actual)];
      differences.push(shown.map((one) => one.slice(0, 900)).join('\n  '));
    }
  } finally {
    await Promise.all([reference.stop(), candidate.stop()]);
  }
  return { reference: reference.name, seed, operations, refused, differences };
}
