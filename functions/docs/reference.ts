// The pages of the reference: which operations and schemas are on which.
import { apiDocument, type Operation, type Schema } from './document.ts';

export interface Entry {
  method: string;
  path: string;
  operation: Operation;
  /** The service sends a webhook; clients do not call it. */
  isWebhook: boolean;
}

/** A page: related operations, and the schemas that they mention first. */
export interface Group {
  /** The last segment of its address. */
  slug: string;
  title: string;
  /** Markdown: the introduction and guide. */
  description: string;
  entries: Entry[];
  schemas: { name: string; schema: Schema }[];
}

const entriesOf = (paths: Record<string, Record<string, Operation>>, isWebhook: boolean): Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation, isWebhook })),
  );
const entries = [...entriesOf(apiDocument.paths, false), ...entriesOf(apiDocument.webhooks, true)];
const { schemas } = apiDocument.components;

/** An as-sent schema differs only in being open, so it is shown with its original. */
const shownName = (name: string) => name.replace(/AsSent$/, '');
export const nameIn = (ref: string) => shownName(ref.slice(ref.lastIndexOf('/') + 1));

/** The components that a part of the document refers to, directly or indirectly. */
function namesIn(part: unknown, found = new Set<string>()): Set<string> {
  for (const [, ref = ''] of (JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const name = shownName(ref);
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas[name], found);
  }
  return found;
}

/** The inputs and outputs of an operation; errors have their own page. */
const bodiesOf = ({ parameters, requestBody, responses }: Operation) => [
  parameters,
  requestBody,
  Object.entries(responses).filter(([status]) => /^[23]/.test(status)),
];

/** The first page of all. */
const START = 'Start here';
/** Plans and their steps are parts of runs, and large enough for their own page. */
const PLANS = 'Plans';

const homes = new Map<string, string>();

function groupOf({ name, description }: (typeof apiDocument.tags)[number]): Group {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const own = entries.filter(({ operation }) => operation.tags.includes(name));
  const mentioned =
    name === PLANS ? { $ref: '#/components/schemas/Plan' } : own.map(({ operation }) => bodiesOf(operation));
  const names = namesIn(mentioned);
  const first = Object.entries(schemas).filter(([schema]) => names.has(schema) && !homes.has(schema));
  for (const [schema] of first) homes.set(schema, slug);
  return {
    slug,
    title: name,
    description,
    entries: own,
    schemas: first.map(([schema, of]) => ({ name: schema, schema: of })),
  };
}

/** Every page except errors and rules, in the order of the tags, where plans come before all operations. */
export const groups: readonly Group[] = apiDocument.tags.map(groupOf);

/** What a newcomer reads first, also on the first page. */
export const start = groups.find(({ title }) => title === START);

/** Anchor of a component on its page. */
export const schemaAnchor = (name: string) => `schema-${name}`;

/** The relative address of a component's description; undefined for components of errors only. */
export function homeOf(name: string): string | undefined {
  const slug = homes.get(name);
  return slug && `${slug}.md#${schemaAnchor(name)}`;
}
