// An entity card as Markdown.
import type { Artifact } from '../../sdk/index.ts';
import { timeText } from '../output/figures.ts';
import { plainLine } from '../output/plain.ts';

type Card = Extract<Artifact, { kind: 'entity_card' }>['content'];

/** Name, summary, and a list for each kind of fact on the card. */
export function cardMarkdown({
  entity,
  summary,
  attributes,
  relationships,
  recent_activity,
  as_of,
}: Card): string {
  const shown = (value: unknown) => plainLine(typeof value === 'string' ? value : JSON.stringify(value));
  return [
    [`# ${plainLine(entity.name)}`],
    [`${plainLine(`${entity.type} ${entity.id}`)}, as of ${timeText(as_of)}`],
    [plainLine(summary)],
    listed(
      'Attributes',
      attributes.map(({ label, value }) => `${plainLine(label)}: ${shown(value)}`),
    ),
    listed(
      'Relationships',
      relationships.map(({ name, relationship_type, direction, role }) => {
        const [from, to] = direction === 'out' ? [entity.name, name] : [name, entity.name];
        return plainLine(`${from} ${relationship_type} ${to}${role === null ? '' : ` (${role})`}`);
      }),
    ),
    listed(
      'Recent activity',
      recent_activity.map(({ at, text }) => `${timeText(at)}: ${plainLine(text)}`),
    ),
  ]
    .filter((block) => block.join('') !== '')
    .map((block) => `${block.join('\n')}\n`)
    .join('\n');
}

function listed(head: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`## ${head}`, '', ...lines.map((line) => `- ${line}`)];
}
