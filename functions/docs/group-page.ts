// A page of the reference: a group of operations with its description and schemas.
import { hostOf } from './document.ts';
import type { ReferencePage } from './layout.ts';
import { operationSection } from './operation-section.ts';
import { type Group, schemaAnchor } from './reference.ts';
import { schemaTable } from './schema-table.ts';
import { blocks, headingsOf, list } from './write-markdown.ts';

/** The page; sample commands call `siteUrl`. */
export function groupPage(group: Group, siteUrl: string): ReferencePage {
  const content = blocks(
    group.description,
    ...group.entries.map((entry) => operationSection(entry, hostOf(siteUrl))),
    ...(group.schemas.length > 0 ? ['## [Schemas](#schemas)'] : []),
    ...group.schemas.map(({ name, schema }) =>
      blocks(`### [${name}](#${schemaAnchor(name)})`, schema.description, schemaTable(schema)),
    ),
  );
  return { at: `docs/${group.slug}`, site: '../', title: group.title, contents: contentsOf(group), content };
}

function contentsOf({ description, entries, schemas }: Group): string {
  return list([
    ...headingsOf(description).map(({ id, text }) => `[${text}](#${id})`),
    ...entries.map(({ operation: { operationId, summary } }) => `[${summary}](#${operationId})`),
    ...(schemas.length > 0 ? ['[Schemas](#schemas)'] : []),
  ]);
}
