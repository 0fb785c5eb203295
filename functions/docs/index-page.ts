// The first page of the reference: a searchable list of everything in it, and the rules of every route.
import { apiDocument, errorEntries, type Schema } from './document.ts';
import type { ReferencePage } from './layout.ts';
import { type Group, groups, schemaAnchor, start } from './reference.ts';
import { ruleTopics } from './rules-page.ts';
import { blocks, code, headingsOf, list } from './write-markdown.ts';

const [lead, ...introduction] = apiDocument.info.description.split('\n\n');

/** The address in the samples of the guides. */
const SAMPLE_SITE = 'http://127.0.0.1:8787';

/** The page; its samples call `siteUrl`. Its entries have the anchors of their own pages. */
export function indexPage(siteUrl: string): ReferencePage {
  const content = blocks(start?.description.replaceAll(SAMPLE_SITE, siteUrl), '## Reference', lead);
  const belowSearch = blocks(
    ...sections.flatMap(({ title, href, about, entries }) => [
      `## [${title}](${href})`,
      about,
      list(entries.map((entry) => `[${entry.title}](${entry.href})${entry.call ?? ''}`)),
    ]),
    '## [Rules of every route](#introduction)',
    ...introduction,
  );
  const targets = new Map([
    ...sections.map(({ href, title }) => [href, { id: title }] as const),
    ...sections.flatMap(({ entries }) =>
      entries.map(({ href, id, words }) => [href, { id, words: searchable(words) }] as const),
    ),
  ]);
  return { at: 'docs', title: 'API reference', navigation, content, belowSearch, targets };
}

interface Section {
  title: string;
  href: string;
  about?: string | undefined;
  entries: Entry[];
}

interface Entry {
  id: string;
  href: string;
  title: string;
  /** How an operation is called. */
  call?: string;
  /** What else a search finds it by. */
  words: string;
}

function groupSection({ slug, title, description, entries }: Group): Section {
  const page = `docs/${slug}.md`;
  const operations = entries.map(({ method, path, operation }) => ({
    id: operation.operationId,
    href: `${page}#${operation.operationId}`,
    title: operation.summary,
    call: ` **${method.toUpperCase()}** ${code(path)}`,
    words: [
      operation.operationId,
      operation.description,
      ...operation.parameters.map(({ name }) => name),
    ].join(' '),
  }));
  const guide = headingsOf(description).map(({ id, text, words }) => ({
    id: `${slug}-${id}`,
    href: `${page}#${id}`,
    title: text,
    words: `${title} guide ${words}`,
  }));
  const about = description.split('\n\n').find((part) => !part.startsWith('## '));
  return { title, href: page, about, entries: [...operations, ...guide] };
}

function fieldsOf({ properties = {}, enum: values = [] }: Schema): string {
  return [...Object.keys(properties), ...values].join(' ');
}

const schemaEntries = groups.flatMap(({ slug, schemas }) =>
  schemas.map(({ name, schema }) => {
    const id = schemaAnchor(name);
    return { id, href: `docs/${slug}.md#${id}`, title: name, words: fieldsOf(schema) };
  }),
);

const errorItems = Object.entries(errorEntries).map(([name, { message, remedy, reasons = {} }]) => ({
  id: `error-${name}`,
  href: `docs/errors.md#${name}`,
  title: code(name),
  words: [message, remedy, ...Object.keys(reasons)].join(' '),
}));

const ruleItems = ruleTopics.map(({ title, rules }) => ({
  id: `rule-${title}`,
  href: `docs/rules.md#${title}`,
  title,
  words: rules.join(' '),
}));

const sections: readonly Section[] = [
  ...groups.map(groupSection),
  { title: 'Schemas', href: '#schemas', entries: schemaEntries },
  { title: 'Errors', href: '#errors', entries: errorItems },
  { title: 'Rules', href: '#rules', entries: ruleItems },
];

/** Words of no use in a search. */
const FILLER =
  /^(a|all|also|an|and|another|any|are|as|at|be|because|been|but|by|can|cannot|do|does|each|either|else|every|for|from|gets|has|have|how|if|in|into|is|it|its|itself|least|many|may|more|most|must|neither|never|no|none|not|of|on|one|only|or|other|others|otherwise|same|so|such|than|that|the|their|them|then|there|these|they|this|those|to|too|was|were|what|whatever|when|where|which|while|who|whole|whose|will|with|within|without|would|you|your)$/;

/**
 * The words of a text as the search compares them: each once, in lower case. It finds parts of words, so those that are
 * in another one are left out.
 */
function searchable(text: string): string {
  const found = text.toLowerCase().match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?/gu) ?? [];
  const useful = found.filter((word) => !FILLER.test(word));
  const longestFirst = [...new Set(useful)].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((all, word) => (all.includes(word) ? all : `${all} ${word}`), '').trimStart();
}

const navigation = list([
  ...groups.map(({ slug, title }) => `[${title}](docs/${slug}.md)`),
  '[Schemas](#schemas)',
  '[Errors](docs/errors.md)',
  '[Rules](docs/rules.md)',
  `[Rules of every route](#introduction)\n${list(headingsOf(introduction.join('\n\n')).map(({ id, text }) => `[${text}](#${id})`))}`,
]);
