// What a provider says of a failure, fit for clients and logs (rules.md: models 3).
import { isJsonObject } from '#contract/json.ts';
import { fitForeign, READ_CHARACTERS } from '#platform/foreign-words.ts';

const MAX_CHARACTERS = 200;

/** The words in the body of a reply: of its `error` in any usual form, else its text. */
export function wordsIn(body: string): string {
  return said(parsed(body)) ?? (/^\s*</.test(body) ? ofPage(body) : body);
}

/** The words of a page: proxies send one in place of a reply. */
function ofPage(page: string): string {
  const part = page.slice(0, READ_CHARACTERS);
  const [, title] = /<title[^>]*>([^<]*)/i.exec(part) ?? [];
  return title?.trim() || part.replace(/<[^>]*>/g, ' ');
}

/** The words without keys and control characters, to 200 characters. */
export function fitWords(words: string, key: string | undefined): string {
  return fitForeign(words, { secrets: key ? [key] : [], most: MAX_CHARACTERS });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The names under which servers put their words, in the order of trust. */
const FIELDS = ['error', 'errors', 'message', 'Message', 'detail', 'msg', 'error_description'];

function said(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined;
  if (Array.isArray(value)) return said(value[0]);
  if (!isJsonObject(value)) return undefined;
  for (const field of FIELDS) {
    const found = Object.hasOwn(value, field) ? said(value[field]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
