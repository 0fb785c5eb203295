// A reason why a command cannot continue, in one line.
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

/** The error of an invalid command line. */
export function misuse(message: string): Problem {
  return new Problem('usage', message);
}

/** The message of any error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
