// What the clauses of a question say. A rule reads the clauses that may begin at a place; it changes nothing.
import type { Measure, Where } from '#contract/conditions.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { NamedField } from './names.ts';
import type { GroupedTime } from './periods.ts';
import type { Text } from './text.ts';

export type Direction = 'asc' | 'desc';
export type Joint = 'and' | 'or' | ',';

/** A condition. */
export interface Test {
  is: 'test';
  where: Where;
  /** It is a place, a name or another value without a field. */
  bare: boolean;
  /** The field of which it says a period, or values: the next of them is an alternative. */
  alternative?: string;
  /** Its field is not named: one that is named is read before. */
  isUnnamed?: boolean;
  /** Words nearby that are not understood may be the name of its field. */
  isGuess?: 'amount' | 'time';
}

/** A field that is named and nothing else: to be shown, or the head of groups. */
interface Shown {
  is: 'shown';
  field: NamedField;
  isOne: boolean;
  isAsked: boolean;
}

/** "top 5", "cheapest", "the highest price", "the most orders". */
export interface Rank {
  is: 'rank';
  direction: Direction;
  dimension: string;
  sign: 1 | -1;
  /** "top", "best": ranks as a superlative does where a number or a field follows. */
  isGeneral: boolean;
  /** "most", "fewest" */
  isCount: boolean;
  limit: number | null;
  /** What it ranks by, where it is named with it. */
  field: NamedField | null;
  measure: Measure['op'] | null;
  countsRecords: boolean;
  /** "oldest first": all of them, in that order. */
  isOrder: boolean;
  /** Where its adjective stands, and where what is ranked may. */
  said: { at: number; end: number };
  next: number;
}

/** How many records the groups that are asked for have. */
export interface GroupSize {
  op: '=' | '!=' | '<' | '<=' | '>' | '>=';
  value: number;
}

export type Part =
  | Test
  | Shown
  | Rank
  | { is: 'type' }
  | { is: 'filler' }
  | { is: 'joint'; joint: Joint }
  | { is: 'end' }
  | { is: 'name'; item: ModelItem | null }
  | { is: 'sort'; sorts: { field: NamedField; direction: Direction }[] }
  | { is: 'direction'; direction: Direction }
  | { is: 'limit'; limit: number }
  | { is: 'size'; size: GroupSize }
  | {
      is: 'by';
      fields: NamedField[];
      times: GroupedTime[];
      isPer: boolean;
      isLong: boolean;
      /** "Which month has the most orders?" asks for one of them. */
      isOne?: boolean;
    }
  | { is: 'measures'; measures: { op: Measure['op']; field: NamedField }[] }
  | { is: 'count'; field: NamedField | null }
  | { is: 'how much' };

export interface Clause {
  end: number;
  part: Part;
  /** Tokens of it that say something else. */
  left?: readonly number[];
}

export type Rule = (text: Text, i: number) => Clause[];

export const clause = (end: number, part: Part, left?: readonly number[]): Clause => ({
  end,
  part,
  ...(left && left.length > 0 && { left }),
});

export interface Placed extends Clause {
  at: number;
}

/** A clause of a kind where it stands. */
export type PlacedAs<K extends Part['is']> = Placed & { part: Extract<Part, { is: K }> };

/** The clauses of a kind, in order. */
export function partsOf<K extends Part['is']>(clauses: readonly Placed[], is: K): PlacedAs<K>[] {
  return clauses.filter((one): one is PlacedAs<K> => one.part.is === is);
}

/** Says that the words of a clause are not understood after all. */
export type Leave = (placed: Pick<Placed, 'at' | 'end'>) => void;
