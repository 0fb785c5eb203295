// The folder of the built program, which also has the assembly and the program of the functions' threads.
import { join } from 'node:path';

/** Its own; from sources, where bin/program builds it. Only read: an installed package may be read-only. */
export const programFolder = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../dist/local')
  : import.meta.dirname;
