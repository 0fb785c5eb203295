// One synthesis for all suites of the store: each of them gets the shape of the table from here.
import type { TestProject } from 'vitest/node';
import { readTableShape, type TableShape } from './table-shape.ts';

declare module 'vitest' {
  interface ProvidedContext {
    table: TableShape;
  }
}

/** Reads the table's shape from the template and hands it to the suites. */
export default function setup(project: TestProject): void {
  project.provide('table', readTableShape());
}
