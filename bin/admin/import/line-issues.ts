// What is wrong with the lines of a file.
import { CliError } from '../cli-error.ts';

const MAX_NAMED = 20;

/** Collects the issues of a file that cannot be imported then: names the first 20, counts the rest. */
export class LineIssues {
  readonly #file: string;
  readonly #named: string[] = [];
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: number | undefined, issue: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(`line ${line}: ${issue}`);
  }

  /** Throws CliError `invalid_file` if there is an issue. */
  refuse(): void {
    if (this.#count === 0) return;
    const more = this.#count > MAX_NAMED ? `; and ${this.#count - MAX_NAMED} more` : '';
    throw new CliError(
      'invalid_file',
      `${this.#file}: nothing was imported. ${this.#named.join('; ')}${more}`,
    );
  }
}
