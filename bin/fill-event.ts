// Event files name what only a running service knows, `{{API_KEY}}` for one: here the names get their values.
import { SetupError } from '../lib/local/setup-error.ts';

/** The text of an event with every `{{NAME}}` replaced. Throws SetupError that names the values it was not given. */
export function fillEvent(text: string, values: Readonly<Record<string, string>>): string {
  const missing = new Set<string>();
  const filled = text.replace(/\{\{([A-Z_]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) missing.add(name);
    return value === undefined ? placeholder : JSON.stringify(value).slice(1, -1);
  });
  if (missing.size === 0) return filled;
  throw new SetupError(`the event needs ${[...missing].map((name) => `--set ${name}=…`).join(' ')}`);
}

/** Between the head and the body of a streamed answer, as Lambda sends both in one. */
const DIVIDER = '\0'.repeat(8);

/** An answer as one readable text: of a streamed one, head and body become one object. */
export function readableAnswer(text: string): string {
  const at = text.indexOf(DIVIDER);
  if (at < 0) return text;
  return JSON.stringify({ ...JSON.parse(text.slice(0, at)), body: text.slice(at + DIVIDER.length) });
}
