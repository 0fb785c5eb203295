// What a command gets from its process; injected, so that tests need no process.
import type { Readable } from 'node:stream';
import type { CommandContext } from '@stricli/core';

/** stdout or stderr; a terminal has a size and may report a new one. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** stdin; a terminal can turn off echo. */
type Input = Readable & { isTTY?: boolean; setRawMode?(mode: boolean): unknown };

/** What the process provides; `runs.ts` creates the real one. */
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
  /** The exit code, unless the command line is invalid. */
  exitCode: number;
}
