// Texts in the form in which conditions search them: all texts of a field in lower case, each after a separator.
// Folded once per record, however many conditions search them: a condition over folded text is plain SQL.
import { LIST_SQL } from './stored-values.ts';

/** A private character; the planes of such characters have more than all searched texts together. */
const FIRST_SEPARATOR = 0xf0000;

/** A character that is in none of the searched texts, so that no search matches across two texts of a list. */
export function separatorFor(searched: string[]): string {
  const present = new Set(searched.flatMap((text) => [...text]));
  for (let code = FIRST_SEPARATOR; ; code += 2) {
    const separator = String.fromCodePoint(code);
    if (!present.has(separator) && !present.has(substituteFor(separator))) return separator;
  }
}

/** Stands for a separator in a record's text; no searched text has it either. */
const substituteFor = (separator: string) => String.fromCodePoint((separator.codePointAt(0) ?? 0) + 1);

/** JavaScript's lower case; SQLite's own function only knows ASCII. */
export function foldText(text: string, separator: string): string {
  return text.toLowerCase().replaceAll(separator, substituteFor(separator));
}

/** The folded texts of a value as SQL; NULL when it has none. `lists`: the slot when it may be a list. */
export function foldedTexts(
  { expression, lists }: { expression: string; lists: number | undefined },
  separator: string,
): string {
  const own = foldedText('one.value', separator);
  if (lists === undefined) return `(SELECT ${own} FROM (SELECT ${expression} AS value) one)`;
  const elements = `(SELECT group_concat(${foldedText('e.value', separator)}, '') FROM elements e WHERE e.rid = r.rid AND e.slot = ${lists})`;
  return `(SELECT CASE WHEN one.value = ${LIST_SQL} THEN ${elements} ELSE ${own} END FROM (SELECT ${expression} AS value) one)`;
}

function foldedText(value: string, separator: string): string {
  // A separator is not from a client and needs no escape.
  return `(CASE WHEN typeof(${value}) <> 'text' THEN NULL WHEN length(${value}) = octet_length(${value}) THEN '${separator}' || lower(${value}) ELSE '${separator}' || fold_text(${value}, '${separator}') END)`;
}
