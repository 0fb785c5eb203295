// What keeps an answer of a person from being one by its schema (rules.md: jobs 12).
import { fail } from '#contract/errors.ts';
import { expandSchema } from '#contract/expand-schema.ts';
import { type Json, type JsonObject, memberOf } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { SentSchema } from '#contract/sent-schema.ts';
import { cut } from '#platform/cut.ts';
import { jsonBeginning } from '#platform/json-beginning.ts';
import { keysOf } from '#platform/json-pointer.ts';
import { outputFaults } from '#steps/output/conform.ts';

const SHOWN_MAX = 200;

/** Throws schema_validation_failed with every fault of an answer, at its place. */
export function checkAnswer(
  schema: SentSchema,
  answer: JsonObject | undefined,
): asserts answer is JsonObject {
  const faults = answer
    ? outputFaults(expandSchema(schema).schema, answer)
    : [{ path: '', message: 'is missing' }];
  const issues = faults.slice(0, limits.issues_max).map(({ path, message }) => {
    const { names, value } = found(answer, keysOf(path) ?? []);
    const received = cut(jsonBeginning(value, SHOWN_MAX), SHOWN_MAX);
    return { code: 'custom', expected: message, received, path: ['answer', ...names], message };
  });
  const [first] = issues;
  if (first) throw fail('schema_validation_failed', { param: first.path.join('.'), details: { issues } });
}

/** What is at a place, whose numbers are those of elements. */
function found(answer: Json | undefined, keys: readonly string[]) {
  const names: (string | number)[] = [];
  let value: unknown = answer;
  for (const key of keys) {
    names.push(Array.isArray(value) ? Number(key) : key);
    value = memberOf(value, key);
  }
  return { names, value };
}
