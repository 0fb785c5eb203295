// One synthesis for all store suites, which get the table's shape from it.
import type { TestProject } from 'vitest/node';
import { readTableShape, type TableShape } from './table-shape.ts';

declare module 'vitest' {
  interface ProvidedContext {
    table: TableShape;
  }
}

/** Reads the table's shape from the template and provides it to the suites. */
export default function setup(project: TestProject): void {
  project.provide('table', readTableShape());
}
