// Data written as lines of cells, so that a file of records is read as one.

/** One item of each line; `cell` gives the line's cells from left to right, '' after the last. */
export function table<T>(lines: string, itemOf: (cell: () => string) => T): T[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      let next = 0;
      return itemOf(() => cells[next++] ?? '');
    });
}

/** The number of a cell; an empty one has none. */
export const numberIn = (cell: string): number | undefined => (cell === '' ? undefined : Number(cell));
export const listIn = (cell: string): string[] =>
  cell === '' ? [] : cell.split(',').map((one) => one.trim());
