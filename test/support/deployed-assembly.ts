// The cloud assembly as deployed: with none of the modules that the local build replaces.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const app = resolve(import.meta.dirname, '../../bin/service.ts');
const context = {
  model: 'offline',
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
};

/** All functions are bundled as for AWS, on a machine that may be busy. */
export const BUNDLED_WITHIN_MS = 180_000;
const LOOKS_EVERY_MS = 100;

/** Synthesizes the stack to `outdir` and returns it. */
export async function deployedAssembly(outdir: string): Promise<string> {
  const env = { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_VALIDATION: 'false' };
  await promisify(execFile)(process.execPath, [app], { env: { ...process.env, ...env } });
  return outdir;
}

/** The same, made by the first of several processes that ask for it; the others wait. */
export async function deployedOnce(outdir: string): Promise<string> {
  const made = `${outdir}.made`;
  while (!existsSync(made)) {
    if (!takes(`${outdir}.taken`)) {
      await wait(LOOKS_EVERY_MS);
      continue;
    }
    try {
      await deployedAssembly(outdir);
      writeFileSync(made, '');
    } finally {
      rmdirSync(`${outdir}.taken`);
    }
  }
  return outdir;
}

/** Whether this process is the one that makes the folder now. */
function takes(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
