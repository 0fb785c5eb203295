// Everything that the reference has, page by page: what its first page lists and its search looks through.
import { errorEntries, type Schema } from './document.ts';
import { type Group, groups, schemaAnchor } from './reference.ts';
import { pageOfTopic, ruleTopics } from './rules-page.ts';
import { code, headingsOf } from './write-markdown.ts';

export interface Section {
  title: string;
  href: string;
  about?: string | undefined;
  entries: Entry[];
}

export interface Entry {
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

const ruleItems = ruleTopics.map((topic) => ({
  id: `rule-${topic.title}`,
  href: `docs/${pageOfTopic(topic)}.md#${topic.title}`,
  title: topic.title,
  words: topic.rules.join(' '),
}));

export const sections: readonly Section[] = [
  ...groups.map(groupSection),
  { title: 'Schemas', href: '#schemas', entries: schemaEntries },
  { title: 'Errors', href: '#errors', entries: errorItems },
  { title: 'Rules', href: '#rules', entries: ruleItems },
];
