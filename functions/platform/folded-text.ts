// Texts in the form in which conditions search them: in lower case, each after a separator that no searched text has.

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
