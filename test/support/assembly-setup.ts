// Provides the assembly of the test run to suites that start services of their own.
import type { TestProject } from 'vitest/node';
import { sharedAssembly } from './shared-assembly.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assembly: string;
  }
}

/** Makes it before the first of them. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('assembly', await sharedAssembly());
}
