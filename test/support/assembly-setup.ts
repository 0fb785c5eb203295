// Provides the assembly of the test run to suites that start services of their own, and the functions of the test stack.
import type { TestProject } from 'vitest/node';
import { bundle } from '../../lib/build/bundle.ts';
import { folderOfRun, sharedAssembly } from './shared-assembly.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assembly: string;
    /** The bundles of the test stack's functions. */
    fixture: string;
  }
}

const functions = ['http', 'stream', 'work', 'slow', 'task', 'consume', 'tick'];

/** Makes them before the first of these suites. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('assembly', await sharedAssembly());
  const fixture = await folderOfRun('fixture', async (outdir) => {
    await bundle(
      outdir,
      Object.fromEntries(functions.map((name) => [name, `test/local/fixture/${name}.ts`])),
    );
    return outdir;
  });
  project.provide('fixture', fixture);
}
