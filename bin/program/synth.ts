// Synthesizes the assembly that every local service starts from, in a short-lived child process.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ASSEMBLY } from '../../lib/local/cli/install-assembly.ts';
import { archiveOf } from '../../lib/local/files/archive.ts';
import { TEMPLATE } from '../../lib/local/template/template.ts';

const main = fileURLToPath(new URL('./synth-main.ts', import.meta.url));

/** All that a start may set is in the template, so a start only changes values (lib/local/template/settings.ts). */
export const startContext = {
  model: 'offline',
  embedding_model: 'offline',
  otlp_endpoint: 'http://collector.invalid',
  // Of an account; on one machine there is none.
  reserved_concurrency: {},
};
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Writes the template and the functions to `folder`, nothing else: CDK's other files name this machine's folders. */
export async function synthesize(folder: string): Promise<void> {
  const whole = mkdtempSync(join(tmpdir(), 'run-service-synth-'));
  try {
    const env = {
      CDK_OUTDIR: whole,
      CDK_CONTEXT_JSON: JSON.stringify(startContext),
      CDK_VALIDATION: 'false',
    };
    const options = { env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES };
    await promisify(execFile)(process.execPath, [main], options);
    const isServed = (name: string) => name === TEMPLATE || name.startsWith('asset.');
    for (const name of readdirSync(whole))
      if (!isServed(name)) rmSync(join(whole, name), { recursive: true });
    writeFileSync(join(folder, ASSEMBLY), archiveOf(whole));
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}
