// The cloud assembly as deployed: with none of the modules that the local build replaces.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const app = resolve(import.meta.dirname, '../../bin/service.ts');
const context = {
  model: 'offline',
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
};

/** All functions are bundled as for AWS, on a machine that may be busy. */
export const BUNDLED_WITHIN_MS = 180_000;

/** Synthesizes the stack to `outdir` and returns it. */
export async function deployedAssembly(outdir: string): Promise<string> {
  const env = { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_VALIDATION: 'false' };
  await promisify(execFile)(process.execPath, [app], { env: { ...process.env, ...env } });
  return outdir;
}
