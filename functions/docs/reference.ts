// The reference, page by page: which operations and schemas are on which page.
import { apiDocument, type Operation, type Schema } from './document.ts';

export interface Entry {
  method: string;
  path: string;
  operation: Operation;
  /** The service sends webhooks, so clients never call them. */
  isWebhook: boolean;
}

/** A page: related operations, and the schemas that they are the first to use. */
export interface Group {
  /** The last part of its address. */
  slug: string;
  title: string;
  /** Markdown: its subject, and its guide. */
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

/** The stored form differs only in that it may grow, so both are documented together. */
const shownName = (name: string) => name.replace(/AsSent$/, '');
export const nameIn = (ref: string) => shownName(ref.slice(ref.lastIndexOf('/') + 1));

/** The components that a part of the document refers to, directly or through others. */
function namesIn(part: unknown, found = new Set<string>()): Set<string> {
  for (const [, ref = ''] of (JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const name = shownName(ref);
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas[name], found);
  }
  return found;
}

/** The inputs and replies of an operation; errors have a separate page. */
const bodiesOf = ({ parameters, requestBody, responses }: Operation) => [
  parameters,
  requestBody,
  Object.entries(responses).filter(([status]) => /^[23]/.test(status)),
];

/** Plans and their steps are parts of runs, and large enough for a separate page. */
const plans = {
  title: 'Plans',
  description: 'The steps of a plan: their kinds, what each takes, and conditions on records.',
  entries: [],
  names: namesIn({ $ref: '#/components/schemas/Plan' }),
};

const homes = new Map<string, string>();

/** Plans come first here, so that their schemas are theirs. */
const [planGroup, ...tagGroups]: readonly Group[] = [
  plans,
  ...apiDocument.tags.map(({ name, description }) => {
    const own = entries.filter(({ operation }) => operation.tags.includes(name));
    return {
      title: name,
      description,
      entries: own,
      names: namesIn(own.map(({ operation }) => bodiesOf(operation))),
    };
  }),
].map(({ names, ...group }) => {
  const slug = group.title.toLowerCase();
  const own = Object.entries(schemas).filter(([name]) => names.has(name) && !homes.has(name));
  for (const [name] of own) homes.set(name, slug);
  return { ...group, slug, schemas: own.map(([name, schema]) => ({ name, schema })) };
});

/** Every page except the errors page, in reading order. */
export const groups: readonly Group[] = tagGroups.flatMap((group) =>
  group.title === 'Runs' && planGroup ? [group, planGroup] : [group],
);

/** Anchor of a component on its page. */
export const schemaAnchor = (name: string) => `schema-${name}`;

/** The address of a component's description, relative to the pages; undefined when only errors use it. */
export function homeOf(name: string): string | undefined {
  const slug = homes.get(name);
  return slug && `${slug}#${schemaAnchor(name)}`;
}
