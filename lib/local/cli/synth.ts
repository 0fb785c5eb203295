// Synthesizes the stack for a local start in a short-lived child process.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';

export interface SynthOptions {
  outdir: string;
  /** Stage settings for the CDK app, as context. */
  context: JsonObject;
  /** Replaces the address policy by the one that allows loopback. */
  allowLocalCallbacks: boolean;
}

const main = fileURLToPath(new URL('./synth-main.ts', import.meta.url));
const METADATA = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };

/** Writes a new cloud assembly to `outdir`. Throws SetupError with the last lines of the child's stderr. */
export async function synthesize({ outdir, context, allowLocalCallbacks }: SynthOptions): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const env = {
    ...process.env,
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify({ ...METADATA, ...context }),
    CDK_VALIDATION: 'false',
  };
  const args = [main, ...(allowLocalCallbacks ? ['--allow-local-callbacks'] : [])];
  execFile(process.execPath, args, { env, maxBuffer: 16 * 1024 * 1024 }, (error, _stdout, stderr) => {
    if (error)
      reject(
        new SetupError(
          `the stack could not be synthesized:\n${stderr.trim().split('\n').slice(-12).join('\n')}`,
        ),
      );
    else resolve();
  });
  return promise;
}
