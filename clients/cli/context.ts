// What a command sees of the process that it runs in: injected, so that tests need no process of their own.
import type { Readable } from 'node:stream';
import type { CommandContext } from '@stricli/core';

/** stdout or stderr; a terminal has a size, and may tell of a new one. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** stdin; a terminal can be told not to show what is typed. */
type Input = Readable & { isTTY?: boolean; setRawMode?(mode: boolean): unknown };

/** What the process gives; the real one is made in `runs.ts`. */
export interface Surroundings {
  stdout: Output;
  stderr: Output;
  stdin: Input;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  fetch: typeof fetch;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

/** `this` of every command. */
export interface Context extends CommandContext, Surroundings {
  /** What the process exits with, unless the command line was wrong. */
  exitCode: number;
}
