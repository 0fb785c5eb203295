// Why a file of records cannot be read.

/** Says what is wrong, and where: the line and column of the file, both from 1. */
export class FileProblem extends Error {
  /** The columns to choose from, where a choice mends it. */
  readonly columns: readonly string[];

  constructor(
    message: string,
    at: { line?: number; column?: number; columns?: readonly string[] | undefined } = {},
  ) {
    const where = [
      ...(at.line === undefined ? [] : [`line ${at.line}`]),
      ...(at.column === undefined ? [] : [`column ${at.column}`]),
    ].join(', ');
    super(where === '' ? message : `${where}: ${message}`);
    this.name = 'FileProblem';
    this.columns = at.columns ?? [];
  }
}
