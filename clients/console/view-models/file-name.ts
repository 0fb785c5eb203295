// Names of saved files.

/** A title as a portable file name: letters, digits and dashes; `fallback` when none remain. */
export function fileName(title: string, fallback: string, ending: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `${[...plain].slice(0, 60).join('') || fallback}.${ending}`;
}
