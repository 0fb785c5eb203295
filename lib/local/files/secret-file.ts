// A file of secret values, each generated once, readable only by its owner.
import { existsSync, readFileSync } from 'node:fs';
import { parseObject, stringAt } from '../json-values.ts';
import { replaceFile } from './replace-file.ts';

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
    replaceFile(file, JSON.stringify(values, null, 2));
    return made;
  };
}
