// What a program prints as the result of a job.
import type { CompleteJob } from '../../sdk/index.ts';

/**
 * The result in a text: an array of items, an object with `items`, `answer` or `usage`, or a line of JSON for each
 * item; nothing is no items. Throws Error. The service validates the rest.
 */
export function jobResult(text: string): CompleteJob {
  if (text.trim() === '') return { items: [] };
  const value = parsed(text) ?? lines(text);
  if (Array.isArray(value)) return { items: value };
  if (typeof value !== 'object' || value === null) throw new Error('neither items nor an object with items');
  // One line of NDJSON is an object, too.
  return 'name' in value ? { items: [value as never] } : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function lines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line);
      } catch {
        throw new Error(`neither JSON nor lines of JSON (line ${index + 1})`);
      }
    });
}
