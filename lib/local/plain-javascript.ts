// TypeScript programs of this project as plain JavaScript: a thread or process that loads TypeScript itself takes some 10 MB more.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The program's text without its types. It must not import files of this project at run time. */
export function plainJavaScript(file: URL): string {
  const { emitWarning } = process;
  // This API is experimental; without this its warning would be the first line of `npm start`.
  process.emitWarning = () => {};
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  process.emitWarning = emitWarning;
  return source;
}
