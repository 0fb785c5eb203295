// The rows of a selection, counted while SQLite sorts them: no second reading has to count them.

let counted = 0;

/** As a part of a sort key it is called once for each row, and all rows are equal by it. */
export function countRow(): number {
  counted += 1;
  return 0;
}

/** Does synchronous work; returns its result, and how many rows it counted. */
export function countingRows<T>(work: () => T): { result: T; rows: number } {
  counted = 0;
  const result = work();
  return { result, rows: counted };
}
