// A file of secret values, each generated once, readable only by its owner.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseObject, stringAt } from '../json-values.ts';

/** Returns the value of a name; generates it at the first call. */
export type SecretFile = (name: string, make: () => string) => string;

/** Opens the file. Throws SetupError when it exists but is not an object of strings. */
export function openSecretFile(file: string): SecretFile {
  const values = existsSync(file) ? parseObject(readFileSync(file, 'utf8'), file) : {};
  // Never generate a lost value again silently: whatever it encrypted or signed would be lost too.
  for (const [name, value] of Object.entries(values)) stringAt(value, `${file}: ${name}`);
  return (name, make) => {
    const known = values[name];
    if (typeof known === 'string') return known;
    const made = make();
    values[name] = made;
    writeFileSync(`${file}.new`, JSON.stringify(values, null, 2), { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    return made;
  };
}
