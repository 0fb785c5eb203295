// One section of a dossier, written from the record, its relationships and its recent activity.
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { asMarkdown } from '#platform/linked-markdown.ts';
import { sentenceOf } from './in-words.ts';
import { capitalised, fieldsOf, humanName, listed, plural, shown, within } from './items.ts';
import { coverage, subjectWords } from './relevance.ts';

type Input = InputOf<'dossier_section'>;
type Link = Input['relationships'][number];

/** A line of Markdown, and the text by which a heading finds it. */
interface Line {
  text: string;
  line: string;
}

/** What a record has, by the words of headings that ask for it. */
const LISTS: { words: RegExp; noun: string; linesOf: (input: Input) => Line[] }[] = [
  { words: /attribute|fact|detail|data|field/, noun: 'attributes', linesOf: fieldLines },
  {
    words: /relationship|network|connection|people|contact|link|partner/,
    noun: 'relationships',
    linesOf: linkLines,
  },
  {
    words: /activity|activities|recent|timeline|history|news|event/,
    noun: 'recent activity',
    linesOf: eventLines,
  },
];
const OVERVIEW = /overview|summary|introduction|profile|about|background/;
const INSIGHTS = /strategic|insight|opportunit|risk|implication|recommendation|outlook|next step/;

/** The content under a heading: the parts its words name, or else the facts related to it. */
export function dossierSection(input: Input): OutputOf<'dossier_section'> {
  return { content: within(contentOf(input), input.max_tokens) };
}

function contentOf(input: Input): string {
  const heading = input.heading.toLowerCase();
  if (OVERVIEW.test(heading)) return overview(input);
  const list = LISTS.find(({ words }) => words.test(heading));
  if (list) {
    const none = `No ${list.noun} ${list.noun.endsWith('s') ? 'are' : 'is'} recorded for ${asMarkdown(input.entity.name)}.`;
    return markdown(list.linesOf(input)) || none;
  }
  if (INSIGHTS.test(heading)) return insights(input);
  const words = subjectWords(input.heading);
  const related = LISTS.flatMap(({ linesOf }) => linesOf(input)).filter(
    ({ text }) => coverage(words, text) > 0,
  );
  return markdown(related) || `Nothing on record speaks of this directly. ${overview(input)}`;
}

const markdown = (lines: Line[]) => lines.map(({ line }) => line).join('\n');

function overview({ entity, relationships: links, recent_activity: [last] }: Input): string {
  const network =
    links.length > 0
      ? ` It has ${countOf(links.length, 'relationship')}, among them with ${namesOf(links)}.`
      : '';
  const lately = last ? ` Last activity: ${dayOf(last.at)}, ${last.text}.` : '';
  return asMarkdown(`${sentenceOf(entity, [])}${network}${lately}`);
}

function fieldLines({ entity }: Input): Line[] {
  return fieldsOf(entity).map((field) => {
    const [name, said] = [humanName(field.key), shown(field.value)];
    return { text: `${name} ${said}`, line: `- **${asMarkdown(capitalised(name))}**: ${asMarkdown(said)}` };
  });
}

function linkLines({ entity, relationships }: Input): Line[] {
  return relationships.map(({ name, type, relationship_type, direction, role }) => {
    const other = `${name} (${humanName(type)})`;
    const [from, to] = direction === 'out' ? [entity.name, other] : [other, entity.name];
    const as = role ? `, ${role}` : '';
    return {
      text: `${other} ${humanName(relationship_type)}${as}`,
      line: `- ${asMarkdown(`${from} ${humanName(relationship_type)} ${to}${as}`)}`,
    };
  });
}

function eventLines({ recent_activity }: Input): Line[] {
  return recent_activity.map(({ at, text }) => ({ text, line: `- ${dayOf(at)}: ${asMarkdown(text)}` }));
}

/** Which records it is tied to, the figures, and the last event: what a reader may draw conclusions from. */
function insights({ heading, entity, relationships, recent_activity: [last] }: Input): string {
  const ties = Map.groupBy(
    relationships,
    ({ relationship_type, direction }) => `${direction} ${humanName(relationship_type)}`,
  );
  const figures = fieldsOf(entity).filter(({ value }) => typeof value === 'number');
  const lines = [
    ...[...ties.values()].map((links) => tieText(entity.name, links)),
    ...(figures.length > 0
      ? [`In figures: ${listed(figures.map(({ key, value }) => `${humanName(key)} ${shown(value)}`))}`]
      : []),
    last ? `The last event on record is from ${dayOf(last.at)}` : 'No recent event is on record',
  ];
  const list = lines.map((line) => `- ${asMarkdown(line)}.`).join('\n');
  const [, noun] = JUDGED.find(([words]) => words.test(heading.toLowerCase())) ?? [];
  const none = `Nothing on record names ${noun} of ${asMarkdown(entity.name)}. What there is to judge by:`;
  return noun === undefined ? list : `${none}\n\n${list}`;
}

/** What records do not say by themselves, and a model that only rehearses cannot judge. */
const JUDGED: readonly (readonly [RegExp, string])[] = [
  [/risk/, 'risks'],
  [/opportunit/, 'opportunities'],
  [/recommendation|next step/, 'next steps'],
];

/** `3 records are linked to Acme by "works at": Ada, Ben and Cem`; `Acme is linked to 1 record by "owns": Bolt`. */
function tieText(name: string, links: Link[]): string {
  const [{ relationship_type, direction } = { relationship_type: '', direction: 'in' }] = links;
  const type = `"${humanName(relationship_type)}"`;
  const others = countOf(links.length, 'record');
  const said =
    direction === 'out'
      ? `${name} is linked to ${others} by ${type}`
      : `${others} ${links.length === 1 ? 'is' : 'are'} linked to ${name} by ${type}`;
  return `${said}: ${namesOf(links)}`;
}

const NAMED = 4;
const namesOf = (links: Link[]) => listed([...new Set(links.map(({ name }) => name))].slice(0, NAMED));
const countOf = (count: number, noun: string) => `${count} ${plural(noun, count)}`;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
