// Names of sources and entity types: fixed names, and types in the singular or plural.

const fixedSources = ['entities', 'notes', 'relationships', 'artifacts', 'global'] as const;
export type FixedSource = (typeof fixedSources)[number];

const irregularPlurals: ReadonlyMap<string, string> = new Map([
  ['person', 'people'],
  ['man', 'men'],
  ['woman', 'women'],
  ['child', 'children'],
]);

/** The fixed source of a name in any case; undefined for what may be an entity type (rules.md: plan 5). */
export function fixedSource(name: string): FixedSource | undefined {
  const spelled = normal(name);
  return fixedSources.find((source) => source === spelled);
}

/** Sources of what runs have written, which only keys with `artifacts:read` read (rules.md: plan 8). */
export const textSources: readonly FixedSource[] = ['notes', 'artifacts'];

/** Whether a source contains anything but records. */
export function isListed(source: string): boolean {
  const fixed = fixedSource(source);
  return fixed === 'notes' || fixed === 'relationships' || fixed === 'artifacts';
}

/** Whether two names mean one entity type, ignoring case, spacing, underscores and the English plural. */
export function sameType(left: string, right: string): boolean {
  const [a, b] = [normal(left), normal(right)];
  return a === b || pluralsOf(a).includes(b) || pluralsOf(b).includes(a);
}

function normal(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}

/** The plurals of a singular: the regular one, and the irregular one if the last word has one. */
function pluralsOf(singular: string): string[] {
  const lastWord = singular.slice(singular.lastIndexOf(' ') + 1);
  const before = singular.slice(0, singular.length - lastWord.length);
  const irregular = irregularPlurals.get(lastWord);
  return [...(irregular ? [irregular] : []), byRule(lastWord)].map((word) => before + word);
}

function byRule(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return `${word}s`;
}
