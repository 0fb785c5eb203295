// The placeholders of a request: each that an expression uses is defined, and each that is defined is used.
import { isObject, type JsonObject } from '../../../json-values.ts';
import { type AttributeValue, type Item, readValue, sizeOfItem } from '../attribute-values.ts';
import { invalid, unknown } from '../refusals.ts';
import type { Parsed, PathPart } from './syntax.ts';

/** A document path with its placeholders replaced. */
export type Path = readonly PathPart[];

/** The placeholders of one request. */
export class Scope {
  readonly #names = new Map<string, string>();
  readonly #values: Item = {};

  /** Throws ValidationException for placeholders that are malformed, not used, or not defined. */
  constructor(input: JsonObject, ...expressions: (Parsed<unknown> | undefined)[]) {
    const used = new Set(expressions.flatMap((one) => [...(one?.placeholders ?? [])]));
    for (const [name, value] of given(input.ExpressionAttributeNames)) {
      if (typeof value !== 'string' || value === '') throw unknown('the name', value);
      this.#names.set(name, value);
    }
    for (const [name, value] of given(input.ExpressionAttributeValues))
      this.#values[name] = readValue(value, 0);
    const defined = new Set([...this.#names.keys(), ...Object.keys(this.#values)]);
    for (const name of used) if (!defined.has(name)) throw invalid(`${name} is not defined`);
    for (const name of defined) if (!used.has(name)) throw invalid(`No expression uses ${name}`);
  }

  /** Size of the values in bytes. */
  get bytes(): number {
    return sizeOfItem(this.#values);
  }

  /** The path without placeholders. */
  path(parts: readonly PathPart[]): Path {
    return parts.map((part) => (typeof part === 'string' ? (this.#names.get(part) ?? part) : part));
  }

  /** The value of a placeholder. */
  value(token: string): AttributeValue {
    return this.#values[token] ?? {};
  }
}

function given(placeholders: unknown): [string, unknown][] {
  if (placeholders === undefined) return [];
  const entries = isObject(placeholders) ? Object.entries(placeholders) : [];
  if (entries.length === 0) throw unknown('the placeholders', placeholders);
  return entries;
}
