// What is wrong with the shape of a page: the place and a sentence for the author of the source (rules.md: sources
// 12).
import type * as z from 'zod';
import { isJsonObject } from '#contract/json.ts';
import { SourceItem } from '#contract/live-sources.ts';
import { inexactLiteral } from '#platform/exact-numbers.ts';
import type { JsonPath } from '#platform/walk-json.ts';

type Issue = z.core.$ZodIssue;

/** A place as programmers write it: `items[3].name`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, i) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!/^[\w$]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return i === 0 ? name : `.${name}`;
    })
    .join('');
}

/** What an issue of the schema says of the value that was sent. */
export function shapeFault(sent: unknown, issue: Issue): string {
  const value = issue.path.reduce<unknown>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? Reflect.get(outer, key) : undefined),
    sent,
  );
  return `${pathText(issue.path) || 'the reply'} ${faultOf(value, issue)}`;
}

function faultOf(value: unknown, issue: Issue): string {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  if (issue.code === 'too_big' || issue.code === 'too_small')
    return `is ${issue.message.slice(0, 1).toLowerCase()}${issue.message.slice(1)}`;
  if (issue.code === 'invalid_union') {
    const length = issue.errors.flat().find(({ code }) => code === 'too_big' || code === 'too_small');
    return length ? faultOf(value, length) : `is ${kindOf(value)}, not a text or a number`;
  }
  return `is ${kindOf(value)}, not ${issue.code === 'invalid_type' ? nameOf(issue.expected) : 'an object'}`;
}

function kindOf(value: unknown): string {
  if (inexactLiteral(value) !== undefined) return nameOf('number');
  return nameOf(Array.isArray(value) ? 'array' : typeof value);
}

const names: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  number: 'a number',
  boolean: 'a boolean',
};
const nameOf = (type: string) => names[type] ?? type;

/** The path of a value that would be lost: a member of an item that has no `fields`. */
export function flatPath(items: readonly unknown[]): JsonPath | undefined {
  for (const [i, item] of items.entries()) {
    if (!isJsonObject(item) || (item.fields ?? null) !== null) continue;
    const name = Object.keys(item).find((one) => !Object.hasOwn(SourceItem.shape, one));
    if (name !== undefined) return ['items', i, name];
  }
  return undefined;
}
