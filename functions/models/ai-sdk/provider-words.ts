// What a provider says of a failure, fit for clients and logs (rules.md: models 3).
import { isJsonObject } from '#contract/json.ts';
import { cut } from '#platform/cut.ts';

const MAX_CHARACTERS = 200;
/** Enough of a reply to find the words in. */
const READ_CHARACTERS = 20_000;
/** Controls, and marks that change the direction of a text. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const SECRETS = /\b(Bearer|Basic)\s+\S+|\bsk-[\w*.…-]+/gi;
/** A piece of a key as long as this tells too much of it. */
const PIECE = 6;

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
  const plain = words.slice(0, READ_CHARACTERS).toWellFormed().replace(UNSHOWN, ' ').trim();
  return cut(withoutKey(plain.replace(SECRETS, '…'), key), MAX_CHARACTERS);
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

/** Without each word that has a piece of the key: providers like to repeat its beginning. */
function withoutKey(text: string, key: string | undefined): string {
  if (!key) return text;
  const size = Math.min(PIECE, key.length);
  const pieces = new Set(Array.from({ length: key.length - size + 1 }, (_, i) => key.slice(i, i + size)));
  const tells = (word: string) =>
    Array.from({ length: Math.max(0, word.length - size + 1) }, (_, i) => word.slice(i, i + size)).some(
      (piece) => pieces.has(piece),
    );
  return text.replaceAll(key, '…').replace(/\S+/g, (word) => (tells(word) ? '…' : word));
}
