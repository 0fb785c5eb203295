// JSON of any size. Here it is written and parsed in one go; a build for shared threads replaces this module.

/** The JSON text of a value. */
export async function writeJson(value: unknown): Promise<string> {
  return JSON.stringify(value);
}

/** The value of a JSON text. Rejects with SyntaxError. */
export async function parseJson(text: string): Promise<unknown> {
  return JSON.parse(text);
}
