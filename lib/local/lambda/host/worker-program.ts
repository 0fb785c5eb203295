// The program of a function's thread, built once: loading TypeScript in each thread would take about 10 MB more.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from '../../program-folder.ts';

let program: URL | undefined;

/** The program, as a module that a thread can start from. */
export function workerProgram(): URL {
  program ??= new URL(
    `data:text/javascript,${encodeURIComponent(readFileSync(join(programFolder, 'worker.mjs'), 'utf8'))}`,
  );
  return program;
}
