// Record links: markdown that points at records, notes and artifacts by id (rules.md: artifacts 4).
import type { Item } from './step.ts';

type LinkKind = 'entity' | 'note' | 'artifact';

/** The label may hold escaped brackets. Both lengths are bounded, so that a hostile text of brackets cannot stall the search. */
const LINK =
  /\[((?:\\.|[^\\[\]]){0,1100})\]\((?:entity|note|artifact|entity_type|entity_list)=([^()[\]]{0,200})\)/g;

/** `[label](kind=id)`, with the label escaped so that brackets and line breaks in it do not end the link. */
export function recordLink(kind: LinkKind, id: string, label: string): string {
  return `[${label.replace(/\s+/g, ' ').replace(/[\\[\]]/g, '\\$&')}](${kind}=${id})`;
}

/** An item's name, as a link when its kind has a page or record of its own. */
export function linkedName({ id, kind, name }: Item): string {
  return kind === 'entity' || kind === 'note' || kind === 'artifact' ? recordLink(kind, id, name) : name;
}

/** The target of a text that is one record link and nothing else, as a table's first cell is. */
export function soleLink(text: string): { kind: string; id: string } | undefined {
  const match = /^\[(?:\\.|[^\\[\]])*\]\(([a-z_]+)=([^)]*)\)$/.exec(text);
  return match?.[1] && match[2] ? { kind: match[1], id: match[2] } : undefined;
}

/** The ids that the links of a text point at. */
export function linkedIds(markdown: string): string[] {
  return [...markdown.matchAll(LINK)].flatMap((match) => match[2] ?? []);
}

/** Reduces links to anything unknown to their labels: a reader must not get an id that a model invented. */
export function keepKnownLinks(markdown: string, known: ReadonlySet<string>): string {
  return markdown.replace(LINK, (link, label: string, id: string) =>
    known.has(id) ? link : label.replace(/\\([\\[\]])/g, '$1'),
  );
}

/** Everything that a text written from these items and texts may link to. */
export function linkable(items: Item[], texts: string[]): Set<string> {
  const ends = items.flatMap(({ kind, fields }) =>
    kind === 'relationship' ? [fields.from_id, fields.to_id] : [],
  );
  // A group is no record that a link can lead to.
  const records = items.filter(({ kind }) => kind !== 'group');
  return new Set([
    ...records.flatMap(({ id, type }) => [id, type]),
    ...ends.filter((end) => typeof end === 'string'),
    ...texts.flatMap(linkedIds),
  ]);
}
