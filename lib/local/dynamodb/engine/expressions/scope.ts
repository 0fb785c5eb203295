// The placeholders of a request, and which of them its expressions use.
import { AwsError } from '../../../aws-endpoint/aws-protocol.ts';
import { isObject, type JsonObject } from '../../../json-values.ts';
import { type AttributeValue, type Item, readValue, sizeOfItem, typeOf } from '../attribute-values.ts';
import { invalid, unreadable } from '../refusals.ts';
import type { Parsed, PathPart } from './syntax.ts';
import type { ExpressionKind } from './tokens.ts';

/** A document path with its placeholders replaced. */
export type Path = readonly PathPart[];

const NAMES = 'ExpressionAttributeNames';
const VALUES = 'ExpressionAttributeValues';
const KEY = { [NAMES]: /^#[A-Za-z0-9_]+$/, [VALUES]: /^:[A-Za-z0-9_]+$/ };
const NAME_BYTES_MAX = 65_535;

/** The placeholders of one request. */
export class Scope {
  readonly #names: Record<string, string>;
  readonly #values: Item;
  readonly #used = new Set<string>();

  /**
   * Parses a request's placeholders. `kinds`: the operation's expressions. Throws ValidationException for placeholders
   * that are malformed, have no value, or come without an expression.
   */
  constructor(input: JsonObject, ...kinds: ExpressionKind[]) {
    const valued = kinds.filter((kind) => kind !== 'ProjectionExpression');
    const isGiven = (kind: ExpressionKind) => input[kind] !== undefined && input[kind] !== null;
    this.#values =
      valued.length > 0 ? readPlaceholders(VALUES, input[VALUES], (value) => readValue(value, 0)) : {};
    this.#names = readPlaceholders(NAMES, input[NAMES], readName);
    if (Object.keys(this.#names).length > 0 && !kinds.some(isGiven))
      throw invalid(`${NAMES} can only be specified when using expressions`);
    if (Object.keys(this.#values).length > 0 && !valued.some(isGiven))
      throw invalid(
        `${VALUES} can only be specified when using expressions: ${valued.join(' and ')} ${valued.length > 1 ? 'are' : 'is'} null`,
      );
  }

  /** Size of the values in bytes. */
  get bytes(): number {
    return sizeOfItem(this.#values);
  }

  /** Resolves paths. Throws ValidationException for a name placeholder of the expression that is not defined. */
  requireNames(kind: ExpressionKind, { names }: Parsed<unknown>): void {
    for (const name of names) {
      if (!Object.hasOwn(this.#names, name))
        throw invalid(
          `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${name}`,
        );
      this.#used.add(name);
    }
  }

  /** Throws ValidationException for a value placeholder of the expression that is not defined. */
  requireValues(kind: ExpressionKind, { values }: Parsed<unknown>): void {
    for (const token of values) {
      if (!Object.hasOwn(this.#values, token))
        throw invalid(
          `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${token}`,
        );
      this.#used.add(token);
    }
  }

  /** Resolves a path whose placeholders are known to be defined. */
  path(parts: readonly PathPart[]): Path {
    if (!parts.some((part) => typeof part === 'string' && part.startsWith('#'))) return parts;
    return parts.map((part) =>
      typeof part === 'string' && part.startsWith('#') ? this.#nameOf(part) : part,
    );
  }

  /** The value of a placeholder that is known to be defined. */
  value(token: string): AttributeValue {
    const value = this.#values[token];
    if (value === undefined) throw new Error(`${token} was not asked for`);
    return value;
  }

  #nameOf(placeholder: string): string {
    const name = this.#names[placeholder];
    if (name === undefined) throw new Error(`${placeholder} was not asked for`);
    return name;
  }

  /** Throws ValidationException for placeholders that no expression has used. */
  close(): void {
    this.#requireUsed(NAMES, Object.keys(this.#names));
    this.#requireUsed(VALUES, Object.keys(this.#values));
  }

  #requireUsed(parameter: string, given: readonly string[]): void {
    if (given.every((name) => this.#used.has(name))) return;
    const unused = given.filter((name) => !this.#used.has(name));
    throw invalid(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
  }
}

function readName(name: unknown): string {
  if (typeof name !== 'string') throw unreadable('Unexpected value type in payload');
  if (name === '') throw invalid('Empty attribute name');
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw invalid('Attribute name is too large, must be less than 65536 bytes');
  return name;
}

function readPlaceholders<T>(
  parameter: keyof typeof KEY,
  given: unknown,
  read: (value: unknown) => T,
): Record<string, T> {
  const placeholders: Record<string, T> = {};
  if (given === undefined || given === null) return placeholders;
  if (!isObject(given)) throw unreadable('Unexpected value type in payload');
  const entries = Object.entries(given);
  if (entries.length === 0) throw invalid(`${parameter} must not be empty`);
  for (const [name, value] of entries) {
    if (!KEY[parameter].test(name))
      throw invalid(`${parameter} contains invalid key: Syntax error; key: "${name}"`);
    try {
      placeholders[name] = read(value);
    } catch (error) {
      if (!(error instanceof AwsError) || error.code !== 'ValidationException') throw error;
      throw invalid(`${parameter} contains invalid value: ${error.message} for key ${name}`);
    }
  }
  return placeholders;
}

/** A path in error messages: `[a, b, [1]]`. */
export function shownPath(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}

/** A value in error messages: `{N:5}`. */
export function shownValue(value: AttributeValue): string {
  const type = typeOf(value);
  const content = value[type];
  return `{${type}:${Array.isArray(content) ? `[${content.join(', ')}]` : String(content)}}`;
}
