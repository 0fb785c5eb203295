// What all suites of a test run share, because bundling it takes longer than most of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeProgram } from '../../bin/program/made-program.ts';
import { installAssembly } from '../../lib/local/cli/install-assembly.ts';

declare global {
  /** Each project loads its own copy of this module, in the same process. */
  var foldersOfRun: Record<string, Promise<string>> | undefined;
}

/** A folder that is made once and removed when the test run ends. */
export function folderOfRun(name: string, make: (folder: string) => Promise<string>): Promise<string> {
  globalThis.foldersOfRun ??= {};
  globalThis.foldersOfRun[name] ??= makeFolder(name, make);
  return globalThis.foldersOfRun[name];
}

function makeFolder(name: string, make: (folder: string) => Promise<string>): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), `run-service-${name}-`));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  return make(join(home, 'cdk.out'));
}

/** The assembly of the program of these sources: a copy, which no other build of it changes. */
export const sharedAssembly = () =>
  folderOfRun('assembly', async (outdir) => installAssembly(await madeProgram(), outdir));

/** Where the first suite that asks for the assembly as deployed makes it. */
export const placeOfDeployed = () => folderOfRun('deployed', async (outdir) => outdir);
