// A record that is as costly to look paths up in as a record may be.
import type { JsonObject } from '#contract/json.ts';

const KEYS = ['a', 'a.a', 'a.a.a'];
const LEVELS = 9;

/**
 * Fields with `values` values at most, whose keys are one, two or three parts of the same path: each path can be split
 * into keys in thousands of ways, and the last part of each is nowhere.
 */
export function splitEveryWay(most: number): { fields: JsonObject; values: number; paths: string[] } {
  const fields: JsonObject = {};
  let open = [fields];
  let values = 0;
  for (let level = 0; level < LEVELS && values < most; level += 1) {
    const next: JsonObject[] = [];
    for (const object of open)
      for (const key of KEYS) {
        if (values === most) break;
        const inner: JsonObject = {};
        object[key] = inner;
        next.push(inner);
        values += 1;
      }
    open = next;
  }
  const paths = Array.from({ length: 50 }, (_, i) => `${'a.'.repeat(98 - i)}z`);
  return { fields, values, paths };
}
