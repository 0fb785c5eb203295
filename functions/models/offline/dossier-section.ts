// One section of a dossier, written from the record, its relationships and its recent activity.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import { asMarkdown } from '#platform/markdown.ts';
import { wordsOf } from '#platform/words.ts';
import { capitalised, type Field, fieldsOf, humanName, listed, plural, shown, within } from './items.ts';
import { coverage, subjectWords } from './relevance.ts';
import { describer } from './transform.ts';

type Input = InputOf<'dossier_section'>;

/** Which heading words ask for which part. */
const PARTS: [RegExp, (input: Input) => string][] = [
  [/overview|summary|introduction|profile|about|background/, overview],
  [/attribute|fact|detail|data|field/, attributes],
  [/relationship|network|connection|people|contact|link|partner/, relationships],
  [/activity|activities|recent|timeline|history|news|event/, activity],
  [/strategic|insight|opportunit|risk|implication|recommendation|outlook|next step/, insights],
];

/** The content under a heading: the parts its words name, or else the facts related to it. */
export function dossierSection(input: Input): OutputOf<'dossier_section'> {
  const heading = input.heading.toLowerCase();
  const part = PARTS.find(([words]) => words.test(heading));
  const content = part ? part[1](input) : related(input);
  return { content: within(content, input.max_tokens) };
}

function overview({ entity, relationships: links, recent_activity }: Input): string {
  const network =
    links.length > 0
      ? ` It has ${countOf(links.length, 'relationship')}, among them with ${listed(namesOf(links, 3))}.`
      : '';
  const last = recent_activity[0];
  const lately = last ? ` Last activity: ${dayOf(last.at)}, ${last.text}.` : '';
  return asMarkdown(`${describer(entity)([])}${network}${lately}`);
}

function attributes({ entity }: Input): string {
  return (
    fieldsOf(entity).map(fieldLine).join('\n') || `No attributes are recorded for ${asMarkdown(entity.name)}.`
  );
}

function fieldLine({ key, value }: Field): string {
  return `- **${asMarkdown(capitalised(humanName(key)))}**: ${asMarkdown(shown(value))}`;
}

function relationships({ entity, relationships: links }: Input): string {
  const rows = links.map(
    (link) => `${linkLine(entity.name, link)}${link.role ? asMarkdown(`, ${link.role}`) : ''}`,
  );
  return rows.join('\n') || `No relationships are recorded for ${asMarkdown(entity.name)}.`;
}

type Link = Input['relationships'][number];

function linkLine(subject: string, { name, type, relationship_type, direction }: Link): string {
  const other = `${name} (${humanName(type)})`;
  const [from, to] = direction === 'out' ? [subject, other] : [other, subject];
  return `- ${asMarkdown(`${from} ${humanName(relationship_type)} ${to}`)}`;
}

function activity({ entity, recent_activity }: Input): string {
  return (
    recent_activity.map(eventLine).join('\n') ||
    `No recent activity is recorded for ${asMarkdown(entity.name)}.`
  );
}

function eventLine({ at, text }: Input['recent_activity'][number]): string {
  return `- ${dayOf(at)}: ${asMarkdown(text)}`;
}

function insights({ entity, relationships: links, recent_activity }: Input): string {
  const kinds = [
    ...Map.groupBy(links, ({ relationship_type, direction }) => `${relationship_type} ${direction}`).values(),
  ];
  const numbers = fieldsOf(entity).filter(({ value }) => typeof value === 'number');
  const lines = kinds.map((members) => `- ${asMarkdown(tie(members))}.`);
  if (numbers.length > 0)
    lines.push(
      `- Its size in figures: ${asMarkdown(listed(numbers.map(({ key, value }) => `${humanName(key)} ${shown(value)}`)))}.`,
    );
  lines.push(
    recent_activity.length > 0
      ? `- ${capitalised(countOf(recent_activity.length, 'recent event'))} on record, the last on ${dayOf(recent_activity[0]?.at ?? 0)}: the record is in motion.`
      : '- Nothing has happened lately: what is known may have aged, a fresh look is worth it.',
  );
  if (links.length === 0)
    lines.push('- It stands alone in the workspace: finding its first relationships would add most.');
  return lines.join('\n');
}

/** What relationships of one type and direction say together. */
function tie(members: Link[]): string {
  const [{ relationship_type = '', direction = 'out' } = {}] = members;
  const others = countOf(members.length, 'record');
  const way = direction === 'out' ? `from it to ${others}` : `from ${others} to it`;
  return `${capitalised(humanName(relationship_type))} leads ${way}: ${listed(namesOf(members, 4))}`;
}

function related(input: Input): string {
  const words = subjectWords(input.heading).length > 0 ? subjectWords(input.heading) : wordsOf(input.heading);
  const fields = fieldsOf(input.entity)
    .filter(({ key, value }) => coverage(words, `${humanName(key)} ${shown(value)}`) > 0)
    .map(fieldLine);
  const links = input.relationships
    .filter(
      (link) =>
        coverage(words, `${link.name} ${link.type} ${humanName(link.relationship_type)} ${link.role ?? ''}`) >
        0,
    )
    .map((link) => linkLine(input.entity.name, link));
  const events = input.recent_activity.filter(({ text }) => coverage(words, text) > 0).map(eventLine);
  const found = [...fields, ...links, ...events];
  return found.length > 0
    ? found.join('\n')
    : `Nothing on record speaks of this directly. ${overview(input)}`;
}

function namesOf(links: Input['relationships'], limit: number): string[] {
  return [...new Set(links.map(({ name }) => name))].slice(0, limit);
}

function countOf(count: number, noun: string): string {
  return `${count} ${plural(noun, count)}`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
