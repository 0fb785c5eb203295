// Random expressions that are right, of everything that their grammars know.
import type { Random } from '../../../support/random.ts';
import { type Key, type KeyPart, partValue, type Table } from './tables.ts';
import { anyPath, type Path, pathOfType, type Words } from './words.ts';

const COMPARATORS = ['=', '<>', '<', '<=', '>', '>='];
const TYPE_NAMES = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'BOOL', 'NULL', 'L', 'M'];
/** The least key of the type. */
const LEAST = { S: { S: 'a' }, N: { N: '-5' }, B: { B: 'AA==' } };
const ORDERED = ['S', 'N', 'B'];

/** A condition or filter; its paths are the attributes of items, or the given ones. */
export function condition(random: Random, words: Words, own?: readonly KeyPart[], depth = 0): string {
  const inner = () => condition(random, words, own, depth + 1);
  if (depth < 3 && random.oneIn(3)) {
    const [left, right] = [inner(), inner()];
    const both = `${left} ${random.pick(['AND', 'OR', 'and', 'Or'])} ${right}`;
    return depth > 0 && random.oneIn(2) ? `(${both})` : both;
  }
  if (depth < 3 && random.oneIn(8))
    return random.oneIn(2) ? `NOT ${single(random, words, own)}` : `NOT (${inner()})`;
  return single(random, words, own);
}

function single(random: Random, words: Words, own?: readonly KeyPart[]): string {
  const { steps, type } = own ? keyPath(random.pick(own)) : anyPath(random);
  const path = words.path({ steps, type });
  const ordered = ORDERED.includes(type) ? type : random.pick(ORDERED);
  const forms: readonly (() => string)[] = [
    () => `attribute_exists(${path})`,
    () => `attribute_not_exists (${path})`,
    () => `attribute_type(${path}, ${words.value({ S: random.pick(TYPE_NAMES) })})`,
    () => `begins_with(${path}, ${words.valueOf(type === 'B' ? 'B' : 'S')})`,
    () => `contains(${path}, ${words.valueOf(memberTypeOf(random, type))})`,
    () => `contains(${path}, ${words.path(pathOfType(random, 'S'))})`,
    () => `size(${path}) ${random.pick(COMPARATORS)} ${words.value({ N: String(random.below(5)) })}`,
    () => `${path} ${random.pick(['=', '<>'])} ${words.valueOf(type)}`,
    () => `${path} ${random.pick(COMPARATORS)} ${words.valueOf(ordered)}`,
    () => `${words.valueOf(ordered)} ${random.pick(COMPARATORS)} ${path}`,
    () => `${path} ${random.pick(COMPARATORS)} ${words.path(pathOfType(random, type))}`,
    () => `${path} BETWEEN ${words.value(low(ordered))} AND ${words.valueOf(ordered)}`,
    () => `${path} BETWEEN ${words.valueOf(ordered)} AND ${words.path(pathOfType(random, ordered))}`,
    () => `${path} IN (${Array.from({ length: 1 + random.below(4) }, () => words.valueOf(type)).join(', ')})`,
  ];
  return random.pick(forms)();
}

const keyPath = ({ name, type }: KeyPart): Path => ({ steps: [name], type });

/** The least value of the type, more or less. */
const low = (type: string) => ({ [type]: { S: '', N: '-1', B: '' }[type] ?? '' });

function memberTypeOf(random: Random, type: string): string {
  return { SS: 'S', NS: 'N', BS: 'B', B: 'B', S: 'S' }[type] ?? random.pick(ORDERED);
}

/** A condition on a key, and on nothing else. */
export function keyCondition(random: Random, words: Words, table: Table, key: Key): string {
  const value = (part: KeyPart) => words.value(partValue(random, table, part));
  const { hash, range } = key;
  const onHash = `${words.name(hash.name)} = ${value(hash)}`;
  if (!range || random.oneIn(3)) return onHash;
  const name = words.name(range.name);
  const forms: readonly (() => string)[] = [
    () => `${name} ${random.pick(['=', '<', '<=', '>', '>='])} ${value(range)}`,
    () => `${name} ${random.pick(['<', '<=', '>', '>='])} ${value(range)}`,
    () => `${value(range)} ${random.pick(['<', '>='])} ${name}`,
    () => `${name} BETWEEN ${words.value(LEAST[range.type])} AND ${value(range)}`,
    () => `${name} BETWEEN ${words.value(LEAST[range.type])} AND ${value(range)}`,
    () => `${name} BETWEEN ${value(range)} AND ${value(range)}`,
    () => (range.type === 'N' ? `${name} > ${value(range)}` : `begins_with(${name}, ${value(range)})`),
  ];
  const onRange = random.pick(forms)();
  const both = random.oneIn(6) ? `${onRange} AND ${onHash}` : `${onHash} AND ${onRange}`;
  return random.oneIn(8) ? `(${both})` : both;
}

/** A projection of up to four paths that keep out of each other's way, mostly. */
export function projection(random: Random, words: Words, more: readonly string[]): string {
  const paths: Path[] = [];
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const path = random.oneIn(4) ? { steps: [random.pick(more)], type: 'S' } : anyPath(random);
    if (!paths.some((other) => meet(path, other))) paths.push(path);
  }
  return paths.map((path) => words.path(path)).join(random.oneIn(3) ? ',' : ', ');
}

/** Whether one path contains the other, or both reach the same node, one as a list and one as a map. */
export function meet({ steps }: Path, { steps: others }: Path): boolean {
  for (const [at, step] of steps.entries()) {
    const other = others[at];
    if (other === undefined) return true;
    if (step !== other) return typeof step !== typeof other;
  }
  return true;
}
