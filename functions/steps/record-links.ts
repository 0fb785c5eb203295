// Record links of items, and what a text written from them may link to (rules.md: artifacts 4).
import { asMarkdown, linkTargets, recordLink } from '#platform/markdown.ts';
import { mapInTurns } from '#platform/turns.ts';
import type { Item } from './step.ts';

/** An item's name, as a link when its kind has a page or record of its own. */
export function linkedName({ id, kind, name }: Item): string {
  return kind === 'entity' || kind === 'note' || kind === 'artifact'
    ? recordLink(kind, id, name)
    : asMarkdown(name);
}

/** Every target (`kind=id`) that a text written from these items and texts may link to. */
export async function linkable(items: Item[], texts: string[]): Promise<Set<string>> {
  const targets = [...(await mapInTurns(items, targetsOf)), ...(await mapInTurns(texts, linkTargets))];
  return new Set(targets.flat());
}

/** A record and its type; of a relationship the ends. A group is no record that a link can lead to. */
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
