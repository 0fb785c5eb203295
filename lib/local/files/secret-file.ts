// A file of secret values, each made once; only its owner can read it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseObject, stringAt } from '../json-values.ts';

/** Returns the value of a name; makes it the first time. */
export type SecretFile = (name: string, make: () => string) => string;

/** Opens the file. Throws SetupError when it exists but is not an object of strings. */
export function openSecretFile(file: string): SecretFile {
  const values = existsSync(file) ? parseObject(readFileSync(file, 'utf8'), file) : {};
  // A value that was lost must not be made anew in silence: what it had encrypted or signed would be lost too.
  for (const [name, value] of Object.entries(values)) stringAt(value, `${file}: ${name}`);
  return (name, make) => {
    const kept = values[name];
    if (typeof kept === 'string') return kept;
    const made = make();
    values[name] = made;
    writeFileSync(`${file}.new`, JSON.stringify(values, null, 2), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    return made;
  };
}
