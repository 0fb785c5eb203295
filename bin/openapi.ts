// Writes the contract to functions/contract/openapi.json; `--check` only reports whether the file is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openApiDocument } from '../functions/contract/openapi.ts';

const file = fileURLToPath(new URL('../functions/contract/openapi.json', import.meta.url));

/** The file's text, or undefined when it does not exist. */
function written(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  if (!values.check) writeFileSync(file, text);
  else if (text !== written())
    throw new Error('functions/contract/openapi.json is stale: run npm run openapi');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
