// An entity card as Markdown.
import type { CardContent } from '#contract/artifacts.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';

/** Name, summary, and a list for each kind of fact on the card. */
export function cardMarkdown(card: CardContent): string {
  const { entity, summary, attributes, relationships, recent_activity, as_of } = card;
  return [
    [`# ${line(entity.name)}`],
    [`${line(asMarkdown(entity.type))} ${entity.id}, as of ${timeText(as_of)}`],
    [line(summary)],
    listUnder(
      'Attributes',
      attributes.map(({ label, value }) => `${asMarkdown(label)}: ${asText(value)}`),
    ),
    listUnder(
      'Relationships',
      relationships.map(({ name, relationship_type, direction, role }) => {
        const [from, to] = direction === 'out' ? [entity.name, name] : [name, entity.name];
        return `${from} ${asMarkdown(relationship_type)} ${to}${role === null ? '' : ` (${role})`}`;
      }),
    ),
    listUnder(
      'Recent activity',
      recent_activity.map(({ at, text }) => `${timeText(at)}: ${text}`),
    ),
  ]
    .filter((block) => block.join('') !== '')
    .map((block) => `${block.join('\n')}\n`)
    .join('\n');
}

const line = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Strings in values are Markdown already. */
const asText = (value: unknown) => (typeof value === 'string' ? value : asMarkdown(JSON.stringify(value)));

const timeText = (ms: number) => new Date(ms).toISOString();

function listUnder(head: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`## ${head}`, '', ...lines.map((one) => `- ${line(one)}`)];
}
