// Random update expressions that are right: of all four clauses, on paths that do not meet.
import type { Random } from '../../../support/random.ts';
import { meet } from './expressions.ts';
import type { KeyPart } from './tables.ts';
import { valueFor } from './values.ts';
import { anyPath, type Path, pathOfType, type Words } from './words.ts';

/** What leads into an attribute is refused where an item has none. */
const INTO_ONE_IN = 7;
const CLAUSES = ['SET', 'REMOVE', 'ADD', 'DELETE'];

/** An update, of index keys too. */
export function update(random: Random, words: Words, indexKeys: readonly KeyPart[]): string {
  const taken: Path[] = [];
  const free = (find: () => Path): Path | undefined => {
    const path = find();
    if (taken.some((other) => meet(path, other))) return undefined;
    taken.push(path);
    return path;
  };
  const clauses = CLAUSES.filter((clause) => random.oneIn(clause === 'SET' ? 2 : 4));
  if (clauses.length === 0) clauses.push(random.pick(CLAUSES));
  if (random.oneIn(4)) clauses.reverse();
  const written = clauses.flatMap((clause) => {
    const actions: string[] = [];
    for (let left = 1 + random.below(3); left > 0; left -= 1) {
      const action = actionOf(random, words, clause, free, indexKeys);
      if (action !== undefined) actions.push(action);
    }
    return actions.length > 0
      ? [`${random.oneIn(5) ? clause.toLowerCase() : clause} ${actions.join(', ')}`]
      : [];
  });
  return written.length > 0 ? written.join(' ') : `REMOVE ${words.name('nope')}`;
}

function actionOf(
  random: Random,
  words: Words,
  clause: string,
  free: (find: () => Path) => Path | undefined,
  indexKeys: readonly KeyPart[],
): string | undefined {
  if (clause === 'ADD' || clause === 'DELETE') {
    const type = random.pick(clause === 'ADD' ? ['N', 'N', 'SS', 'NS', 'BS'] : ['SS', 'NS', 'BS']);
    const path = free(() => pathOfType(random, type, INTO_ONE_IN));
    return path && `${words.path(path)} ${words.valueOf(type)}`;
  }
  if (clause === 'SET' && indexKeys.length > 0 && random.oneIn(6)) {
    const { name, type } = random.pick(indexKeys);
    const path = free(() => ({ steps: [name], type }));
    return path && `${words.path(path)} = ${words.value({ [type]: { S: 'a', N: '1', B: 'AA==' }[type] })}`;
  }
  const path = free(() => {
    const index = indexKeys.length > 0 && random.oneIn(8) ? random.pick(indexKeys) : undefined;
    return index ? { steps: [index.name], type: index.type } : anyPath(random, INTO_ONE_IN);
  });
  if (!path || clause === 'REMOVE') return path && words.path(path);
  return `${words.path(path)} = ${newValue(random, words, path)}`;
}

/** The right side of a SET. */
function newValue(random: Random, words: Words, path: Path): string {
  const outer = String(path.steps[0]);
  const plain = () =>
    words.value(path.steps.length === 1 ? valueFor(random, outer) : valueFor(random, 'mixed'));
  const operand = (type: string) => {
    if (random.oneIn(3)) return words.path(pathOfType(random, type));
    if (random.oneIn(3))
      return `if_not_exists(${words.path(pathOfType(random, type))}, ${words.valueOf(type)})`;
    return words.valueOf(type);
  };
  const forms: readonly (() => string)[] = [
    plain,
    plain,
    () => `if_not_exists(${words.path(path)}, ${words.valueOf(path.type)})`,
    () => `if_not_exists(${words.path(anyPath(random))}, ${operand(path.type)})`,
    () => `${operand('N')} ${random.pick(['+', '-'])} ${operand('N')}`,
    () => `${words.name('n')} + ${words.valueOf('N')}`,
    () => `list_append(${operand('L')}, ${operand('L')})`,
    () => `list_append(${words.name('l')}, ${words.valueOf('L')})`,
  ];
  return random.pick(forms)();
}
