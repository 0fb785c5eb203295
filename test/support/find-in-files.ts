// Secrets at rest: which files of a service's data folder contain which of them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The local KMS and Secrets Manager, and the operator's own credentials. */
const KEY_FILES = ['kms.json', 'secrets.json', 'aws.json'];

/** A file's bytes; empty for one that the service has removed since. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Each secret (by name) with each file that contains it, except key material. Reads every file once. */
export function findInFiles(
  dataDir: string,
  secrets: Readonly<Record<string, string>>,
): { secret: string; file: string }[] {
  return globSync('**', { cwd: dataDir, withFileTypes: true, exclude: ['cdk.out'] })
    .filter((entry) => entry.isFile() && !KEY_FILES.includes(entry.name))
    .flatMap((entry) => {
      const bytes = bytesOf(join(entry.parentPath, entry.name));
      const found = Object.entries(secrets).filter(([, text]) => bytes.includes(text));
      return found.map(([secret]) => ({ secret, file: entry.name }));
    });
}
