// The reference: introduction, every operation by tag, webhooks and schemas.
import { apiDocument, hostOf, type Operation } from './document.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { operationView } from './operation-view.ts';
import { prose } from './prose.ts';
import { isShown, schemaAnchor, schemaView } from './schema-view.ts';

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

const entriesOf = (paths: Record<string, Record<string, Operation>>): Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** Renders the page; example commands call `siteUrl`. */
export function referencePage(siteUrl: string): string {
  const host = hostOf(siteUrl);
  const routes = entriesOf(apiDocument.paths);
  const webhooks = entriesOf(apiDocument.webhooks);
  const schemas = Object.entries(apiDocument.components.schemas).filter(([name]) => isShown(name));
  const content = html`<section id="introduction">${prose(apiDocument.info.description)}</section>
${apiDocument.tags.map(
  ({ name, description }) => html`<section id="${name}"><h2>${name}</h2>${prose(description)}
${routes.filter(({ operation }) => operation.tags.includes(name)).map((entry) => operationView(entry.method, entry.path, entry.operation, host))}
${webhooks.filter(({ operation }) => operation.tags.includes(name)).map((entry) => operationView(entry.method, entry.path, entry.operation))}</section>
`,
)}
<section id="schemas"><h2>Schemas</h2>${schemas.map(
    ([
      name,
      schema,
    ]) => html`<section id="${schemaAnchor(name)}"><h3><a href="#${schemaAnchor(name)}">${name}</a></h3>${schema.description !== undefined && prose(schema.description)}${schemaView(schema)}</section>
`,
  )}</section>`;
  return page('reference', 'API reference', navigation([...routes, ...webhooks]), content);
}

function navigation(entries: readonly Entry[]): Html {
  const link = ({ operation }: Entry) =>
    html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`;
  return html`<ul><li><a href="#introduction">Introduction</a></li>${apiDocument.tags.map(
    ({ name }) =>
      html`<li><a href="#${name}">${name}</a><ul>${entries.filter(({ operation }) => operation.tags.includes(name)).map(link)}</ul></li>`,
  )}<li><a href="#schemas">Schemas</a></li></ul>`;
}
