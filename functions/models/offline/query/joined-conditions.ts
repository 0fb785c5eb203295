// The conditions of a question, joined as "and", "or" and commas say.
import type { Where } from '#contract/conditions.ts';
import { type Joint, type Leave, type Placed, type PlacedAs, partsOf } from './clause.ts';
import { only } from './names.ts';
import { isFiller, type Text } from './text.ts';

/** The conditions; one whose field is not named only where no word near it may be that name. */
export function testsOf(
  text: Text,
  clauses: readonly Placed[],
  left: ReadonlySet<number>,
  leave: Leave,
): PlacedAs<'test'>[] {
  const isLeftNear = ({ at, end, part }: PlacedAs<'test'>) => {
    let before = at - 1;
    while (before > 0 && isFiller(text, before)) before -= 1;
    return left.has(before) || (part.isGuess === 'amount' && left.has(end));
  };
  return partsOf(clauses, 'test').filter((one) => {
    const isDropped = one.part.isGuess !== undefined && isLeftNear(one);
    if (isDropped) leave(one);
    return !isDropped;
  });
}

/** Conditions that are joined, in each way that the text can be read. */
interface Conditions {
  where: Where | null;
  /** "in Kiel, insured or with 8 berths": what "or" separates may also be all that stands before and after it. */
  other: Where | null;
}

/** All tests together: what "or" joins holds in one part or the other. */
export function conditionsOf(
  clauses: readonly Placed[],
  tests: readonly PlacedAs<'test'>[],
  left: ReadonlySet<number>,
  leave: Leave,
): Conditions {
  const jointOf = (i: number): Joint | undefined => {
    const [before, test] = [tests[i - 1], tests[i]];
    if (!before || !test) return undefined;
    const joint = partsOf(clauses, 'joint').findLast(({ at }) => at >= before.end && at < test.at);
    // "Swedish or Elvish published in 1950": what is joined is not understood.
    const isOfOther = joint && [...left].some((at) => at > joint.at && at < test.at);
    return isOfOther ? undefined : joint?.part.joint;
  };
  const joints = tests.map((_, i) => jointOf(i));
  const near: PlacedAs<'test'>[][] = [];
  const far: PlacedAs<'test'>[][][] = [[]];
  tests.forEach((test, i) => {
    const { alternative } = test.part;
    const isSame =
      joints[i] !== undefined && alternative !== undefined && alternative === tests[i - 1]?.part.alternative;
    const last = near.at(-1);
    // "A, B or C": the commas before an "or" are alternatives as well; "in 2010 and in 2011": no record is of both.
    const isListed = joints[i] === ',' && joints.slice(i + 1).find((one) => one !== ',') === 'or';
    const isOr = last !== undefined && (joints[i] === 'or' || isListed || isSame);
    if (isOr) last.push(test);
    else near.push([test]);
    if (isOr && !isSame && !isListed) far.push([[test]]);
    else if (isOr) far.at(-1)?.at(-1)?.push(test);
    else far.at(-1)?.push([test]);
  });
  const possible = near.filter((part, i) => !isSecondOf(part, near.slice(0, i)) || leaveAll(part, leave));
  const where = allOf(possible.map(eitherOf));
  const separate = far.flatMap((part) => allOf(part.map(eitherOf)) ?? []);
  const other = far.length > 1 && near.length > 1 ? (only(separate) ?? { or: separate }) : null;
  return { where, other };
}

const allOf = (all: Where[]): Where | null => (all.length === 0 ? null : (only(all) ?? { and: all }));
function eitherOf(part: readonly PlacedAs<'test'>[]): Where {
  const all = part.map(({ part: { where } }) => joined(where));
  return only(all) ?? { or: all };
}

/** "sloops in Kiel and ketches in Brest": no record is in both. */
function isSecondOf([test]: readonly PlacedAs<'test'>[], before: readonly PlacedAs<'test'>[][]): boolean {
  const alternative = test?.part.alternative;
  return alternative !== undefined && before.some(([one]) => one?.part.alternative === alternative);
}

function leaveAll(part: readonly PlacedAs<'test'>[], leave: Leave): false {
  for (const one of part) leave(one);
  return false;
}

/** Several values of a field as one `in`. */
function joined(where: Where): Where {
  if ('not' in where) return { not: joined(where.not) };
  if (!('or' in where)) return where;
  const flat = where.or.flatMap((one) => ('or' in one ? one.or : [one]));
  const byField = Map.groupBy(flat, (one) => ('op' in one && one.op === '=' ? one.field : ''));
  const parts = [...byField].flatMap(([field, same]): Where[] => {
    const values = [...new Set(same.flatMap((one) => ('op' in one && one.op === '=' ? [one.value] : [])))];
    const [value] = values;
    if (field === '' || value === undefined) return same;
    return [values.length === 1 ? { field, op: '=', value } : { field, op: 'in', value: values }];
  });
  return only(parts) ?? { or: parts };
}
