// What the placeholders of a request stand for, and which of them its expressions use.
import { isObject, type JsonObject } from '../../json-values.ts';
import { type AttributeValue, readValue, typeOf } from '../attribute-values.ts';
import { invalid, unreadable } from '../refusals.ts';
import type { ExpressionKind, PathPart } from './syntax.ts';

/** A document path whose placeholders are replaced. */
export type Path = readonly PathPart[];

const KEY = { names: /^#[A-Za-z0-9_]+$/, values: /^:[A-Za-z0-9_]+$/ };

/** The placeholders of one request. */
export class Scope {
  readonly #names: Record<string, string>;
  readonly #values: Record<string, AttributeValue>;
  readonly #used = new Set<string>();
  readonly #topNames: string[] = [];

  /** Throws ValidationException for placeholders that are badly named or stand for nothing. */
  constructor({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: JsonObject) {
    this.#names = readPlaceholders('ExpressionAttributeNames', names, KEY.names, (name) => {
      if (typeof name === 'string') return name;
      throw unreadable('Unexpected value type in payload');
    });
    this.#values = readPlaceholders('ExpressionAttributeValues', values, KEY.values, (value) =>
      readValue(value),
    );
  }

  /** The path without placeholders. Throws ValidationException for a name that is not given. */
  path(kind: ExpressionKind, parts: readonly PathPart[]): Path {
    const path = parts.map((part) => {
      if (typeof part === 'number' || !part.startsWith('#')) return part;
      const name = this.#names[part];
      if (name === undefined)
        throw invalid(
          `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${part}`,
        );
      this.#used.add(part);
      return name;
    });
    this.#topNames.push(String(path[0]));
    return path;
  }

  /** The attributes that the paths so far begin at. */
  usedNames(): readonly string[] {
    return [...this.#topNames];
  }

  /** The value of a placeholder. Throws ValidationException for one that is not given. */
  value(kind: ExpressionKind, token: string): AttributeValue {
    const value = this.#values[token];
    if (value === undefined)
      throw invalid(
        `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${token}`,
      );
    this.#used.add(token);
    return value;
  }

  /** Throws ValidationException for placeholders that no expression has used. `hasExpressions`: the request holds any. */
  close(hasExpressions: boolean): void {
    this.#requireUsed('ExpressionAttributeNames', this.#names, hasExpressions);
    this.#requireUsed('ExpressionAttributeValues', this.#values, hasExpressions);
  }

  #requireUsed(parameter: string, given: object, hasExpressions: boolean): void {
    const names = Object.keys(given);
    if (names.length > 0 && !hasExpressions)
      throw invalid(`${parameter} can only be specified when using expressions`);
    const unused = names.filter((name) => !this.#used.has(name));
    if (unused.length > 0)
      throw invalid(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
  }
}

function readPlaceholders<T>(
  parameter: string,
  given: unknown,
  key: RegExp,
  read: (value: unknown) => T,
): Record<string, T> {
  const placeholders: Record<string, T> = {};
  if (given === undefined || given === null) return placeholders;
  if (!isObject(given)) throw unreadable('Unexpected value type in payload');
  const entries = Object.entries(given);
  if (entries.length === 0) throw invalid(`${parameter} must not be empty`);
  for (const [name, value] of entries) {
    if (!key.test(name)) throw invalid(`${parameter} contains invalid key: Syntax error; key: "${name}"`);
    placeholders[name] = read(value);
  }
  return placeholders;
}

/** A path as errors show it: `[a, b, [1]]`. */
export function shownPath(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}

/** A value as errors show it: `{N:5}`. */
export function shownValue(value: AttributeValue): string {
  const type = typeOf(value);
  const content = value[type];
  return `{${type}:${Array.isArray(content) ? `[${content.join(', ')}]` : String(content)}}`;
}
