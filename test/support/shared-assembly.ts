// One cloud assembly for all suites of a test run: bundling it takes longer than most of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedAssembly } from '../../lib/local/cli/cached-assembly.ts';

declare global {
  /** Each project loads its own copy of this module, in the same process. */
  var assemblyOfRun: Promise<string> | undefined;
}

/** The assembly of the offline model that allows loopback callbacks, removed when the test run ends. */
export function sharedAssembly(): Promise<string> {
  globalThis.assemblyOfRun ??= makeAssembly();
  return globalThis.assemblyOfRun;
}

function makeAssembly(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'run-service-assembly-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  return cachedAssembly({
    outdir: join(home, 'cdk.out'),
    context: { model: 'offline' },
    allowLocalCallbacks: true,
  });
}
