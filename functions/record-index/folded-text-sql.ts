// The texts of a field in the form in which conditions search them, as SQL: folded once per record, however many
// conditions search them. A condition over folded text is plain SQL.
import { LIST_SQL } from './stored-values.ts';

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
