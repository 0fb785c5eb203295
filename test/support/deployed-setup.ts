// Provides the place of the assembly as deployed to suites that read its bundles.
import type { TestProject } from 'vitest/node';
import { placeOfDeployed } from './shared-assembly.ts';

declare module 'vitest' {
  interface ProvidedContext {
    deployed: string;
  }
}

/** Makes nothing. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('deployed', await placeOfDeployed());
}
