// The project's files, under names that are the same on every platform.
import { globSync } from 'node:fs';
import { sep } from 'node:path';

/** A path with `/` separators. */
export const withSlashes = (path: string): string => path.replaceAll(sep, '/');

/** The files that match a pattern, as paths with `/`, without node_modules. */
export const filesBy = (patterns: string | string[], cwd = '.'): string[] =>
  globSync(patterns, { cwd, exclude: ['**/node_modules'] }).map(withSlashes);
