// Secrets at rest: which files of a service's data folder hold a text.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What stands in for KMS and Secrets Manager on this machine, and the operator's own access. */
const KEY_FILES = ['kms.json', 'secrets.json', 'aws.json'];

/** Names of the files that hold `secret`, but for those that are key material themselves. */
export function filesHolding(dataDir: string, secret: string): string[] {
  return globSync('**', { cwd: dataDir, withFileTypes: true, exclude: ['cdk.out'] })
    .filter((entry) => entry.isFile() && !KEY_FILES.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(secret))
    .map((file) => basename(file));
}
