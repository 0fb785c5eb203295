// Replaces placeholders in event files, such as `{{API_KEY}}`, with values of the running service.
import { SetupError } from '../../lib/local/setup-error.ts';

/** The text of an event with every `{{NAME}}` replaced. Throws SetupError that lists the missing values. */
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

/** Separates head and body in a streamed answer. */
const DIVIDER = '\0'.repeat(8);

/** Formats an answer as text; head and body of a streamed one become one object. */
export function readableAnswer(text: string): string {
  const at = text.indexOf(DIVIDER);
  if (at < 0) return text;
  return JSON.stringify({ ...JSON.parse(text.slice(0, at)), body: text.slice(at + DIVIDER.length) });
}
