// What expressions are made of: names, values and paths, with the placeholders that a request defines for them.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';
import { ATTRIBUTES, anyValue, valueOfType } from './values.ts';

/** A path into an item, and the type that is mostly found there. */
export interface Path {
  steps: readonly (string | number)[];
  type: string;
}

const PLAIN_NAME = /^[a-z][a-z0-9]*$/i;
const RESERVED = ['name'];

/** Into what most items have. */
const INNER_PATHS: readonly Path[] = [
  { steps: ['m', 'a'], type: 'N' },
  { steps: ['m', 'b'], type: 'L' },
  { steps: ['m', 'b', 0], type: 'N' },
  { steps: ['m', 'b', 1], type: 'S' },
  { steps: ['m', 'c', 'd'], type: 'S' },
  { steps: ['m', 'c', 'e'], type: 'SS' },
  { steps: ['m', 'name'], type: 'S' },
  { steps: ['m', 'nope'], type: 'S' },
  { steps: ['l', 0], type: 'N' },
  { steps: ['l', 1], type: 'S' },
  { steps: ['l', 3], type: 'N' },
  { steps: ['l', 9], type: 'S' },
];
/** Into what few items have, or none. */
const FAR_PATHS: readonly Path[] = [
  { steps: ['m', 'b', 2, 'x'], type: 'N' },
  { steps: ['l', 2, 'x'], type: 'N' },
  { steps: ['mixed', 'a'], type: 'N' },
  { steps: ['mixed', 0], type: 'N' },
  { steps: ['m', 'nope', 'x'], type: 'N' },
  { steps: ['nope'], type: 'S' },
  { steps: ['nope', 'x'], type: 'S' },
  { steps: ['s', 'x'], type: 'S' },
];
const OUTER_PATHS: readonly Path[] = Object.entries(ATTRIBUTES).map(([name, type]) => ({
  steps: [name],
  type: type || 'S',
}));

/** A path to an attribute, or, one time in this many, into one. */
export function anyPath(random: Random, intoOneIn = 3): Path {
  if (random.oneIn(25)) return random.pick(FAR_PATHS);
  return random.pick(random.oneIn(intoOneIn) ? INNER_PATHS : OUTER_PATHS);
}

/** A path to something that is mostly of the type. */
export function pathOfType(random: Random, type: string, intoOneIn = 3): Path {
  const fitting = (random.oneIn(intoOneIn) ? INNER_PATHS : OUTER_PATHS).filter((path) => path.type === type);
  return fitting.length === 0 || random.oneIn(25) ? anyPath(random, intoOneIn) : random.pick(fitting);
}

/** The placeholders of one request. */
export class Words {
  readonly #random: Random;
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, JsonObject>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** How an expression names the attribute. */
  name(attribute: string): string {
    const plain = PLAIN_NAME.test(attribute) && !RESERVED.includes(attribute);
    if (plain && !this.#random.oneIn(5)) return attribute;
    const known = [...this.#names].find(([, name]) => name === attribute);
    if (known) return known[0];
    const placeholder = `#n${this.#names.size}`;
    this.#names.set(placeholder, attribute);
    return placeholder;
  }

  /** How an expression writes the value. */
  value(value: JsonObject): string {
    const placeholder = `:v${this.#values.size}`;
    this.#values.set(placeholder, value);
    return placeholder;
  }

  /** A value of the type; of another one now and then. */
  valueOf(type: string): string {
    return this.value(this.#random.oneIn(20) ? anyValue(this.#random) : valueOfType(this.#random, type));
  }

  /** How an expression writes the path. */
  path({ steps }: Path): string {
    return steps
      .map((step, at) => {
        if (typeof step === 'number') return `[${step}]`;
        return at === 0 ? this.name(step) : `.${this.name(step)}`;
      })
      .join('');
  }

  /** The members of a request that define the placeholders. */
  members(): JsonObject {
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: Object.fromEntries(this.#names) }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    };
  }
}
