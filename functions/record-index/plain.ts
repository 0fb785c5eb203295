// Texts in the form in which names are compared, independent of typing.

/** Lower case, without accents and punctuation, words separated by one space. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Every run of words of a plain text whose number of words is among `lengths`, each once. */
export function runsOfWords(text: string, lengths: number[]): string[] {
  const words = text === '' ? [] : text.split(' ');
  return [
    ...new Set(
      lengths.flatMap((length) =>
        words
          .slice(0, Math.max(0, words.length - length + 1))
          .map((_, i) => words.slice(i, i + length).join(' ')),
      ),
    ),
  ];
}
