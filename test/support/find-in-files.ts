// Secrets at rest: which files of a service's data folder hold which of them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands in for KMS and Secrets Manager on this machine, and the operator's own access. */
const KEY_FILES = ['kms.json', 'secrets.json', 'aws.json'];

/** A file's bytes; none of one that the service has removed since it was listed. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Each secret (by its name) with each file that holds it, but for those that are key material themselves. Reads every file once. */
export function findInFiles(
  dataDir: string,
  secrets: Readonly<Record<string, string>>,
): { secret: string; file: string }[] {
  return globSync('**', { cwd: dataDir, withFileTypes: true, exclude: ['cdk.out'] })
    .filter((entry) => entry.isFile() && !KEY_FILES.includes(entry.name))
    .flatMap((entry) => {
      const bytes = bytesOf(join(entry.parentPath, entry.name));
      const held = Object.entries(secrets).filter(([, text]) => bytes.includes(text));
      return held.map(([secret]) => ({ secret, file: entry.name }));
    });
}
