// A reason why a command cannot go on, said in one line.
import { type ExitName, exitCodes } from './exit-codes.ts';

/** Ends the command with one line on stderr and an exit code. */
export class Problem extends Error {
  readonly exitCode: number;
  constructor(exit: ExitName, message: string) {
    super(message);
    this.name = 'Problem';
    this.exitCode = exitCodes[exit];
  }
}

/** The error of a command line that cannot be meant. */
export function misuse(message: string): Problem {
  return new Problem('usage', message);
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
