// Words of another system, fit for clients and logs.
import { cut } from './cut.ts';

/** Enough of a text to find the words in. */
export const READ_CHARACTERS = 20_000;
/** Controls, and marks that change the direction of a text. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const SECRETS = /\b(Bearer|Basic)\s+\S+|\bsk-[\w*.…-]+/gi;
/** A piece of a secret as long as this tells too much of it. */
const PIECE = 6;

/** The words in one line of at most `most` characters, without control characters and without these secrets. */
export function fitForeign(
  words: string,
  { secrets, most }: { secrets: readonly string[]; most: number },
): string {
  const plain = words.slice(0, READ_CHARACTERS).toWellFormed().replace(UNSHOWN, ' ').trim();
  return cut(secrets.reduce(without, plain.replace(SECRETS, '…')), most);
}

/** Without each word that has a piece of the secret: other systems like to repeat its beginning. */
function without(text: string, secret: string): string {
  if (secret === '') return text;
  const size = Math.min(PIECE, secret.length);
  const pieces = new Set(
    Array.from({ length: secret.length - size + 1 }, (_, i) => secret.slice(i, i + size)),
  );
  const tells = (word: string) =>
    Array.from({ length: Math.max(0, word.length - size + 1) }, (_, i) => word.slice(i, i + size)).some(
      (piece) => pieces.has(piece),
    );
  return text.replaceAll(secret, '…').replace(/\S+/g, (word) => (tells(word) ? '…' : word));
}
