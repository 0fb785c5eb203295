// The project's files, by names that are written alike on every platform.
import { globSync } from 'node:fs';
import { sep } from 'node:path';

/** A path with `/` between its parts. */
export const withSlashes = (path: string): string => path.replaceAll(sep, '/');

/** The files that a pattern finds, as paths with `/`; packages are left out. */
export const filesBy = (patterns: string | string[], cwd = '.'): string[] =>
  globSync(patterns, { cwd, exclude: ['**/node_modules'] }).map(withSlashes);
