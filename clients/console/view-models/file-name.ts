// Names of files that are saved.

/** A title as a name that every system takes: letters, digits and dashes; `fallback` when nothing is left of it. */
export function fileName(title: string, fallback: string, ending: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${[...plain].slice(0, 60).join('') || fallback}.${ending}`;
}
