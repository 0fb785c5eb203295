// A file of secret values, each made once; only its owner can read it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { optionalString, parseObject } from '../json-values.ts';

/** Returns the value of a name; makes it the first time. */
export type SecretFile = (name: string, make: () => string) => string;

/** Opens the file. Throws SetupError when it exists but is not JSON. */
export function openSecretFile(file: string): SecretFile {
  const values = existsSync(file) ? parseObject(readFileSync(file, 'utf8'), file) : {};
  return (name, make) => {
    const kept = optionalString(values[name]);
    if (kept !== undefined) return kept;
    const made = make();
    values[name] = made;
    writeFileSync(`${file}.new`, JSON.stringify(values, null, 2), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    return made;
  };
}
