// Record links of items, and what a text written from them may link to (rules.md: artifacts 4).
import { asMarkdown, linkTargets, recordLink } from '#platform/linked-markdown.ts';
import type { Item } from './step.ts';

/** An item's name, as a link when its kind has its own page or record. */
export function linkedName({ id, kind, name }: Item): string {
  return kind === 'entity' || kind === 'note' || kind === 'artifact'
    ? recordLink(kind, id, name)
    : asMarkdown(name);
}

/** Every link target (`kind=id`) that a text written from these items and texts may use. */
export function linkable(items: Item[], texts: string[]): Set<string> {
  const targets = [...items.map(targetsOf), ...texts.map(linkTargets)];
  return new Set(targets.flat());
}

/** A record and its type; for a relationship both ends. A group is not a link target. */
function targetsOf({ id, kind, type, fields }: Item): string[] {
  switch (kind) {
    case 'entity':
      return [`entity=${id}`, `entity_type=${type}`];
    case 'note':
    case 'artifact':
      return [`${kind}=${id}`];
    case 'relationship':
      return [`entity=${fields.from_id}`, `entity=${fields.to_id}`];
    default:
      return [];
  }
}
