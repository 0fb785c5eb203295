// A page of the reference: a group of operations with its description and schemas.
import { hostOf } from './document.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { operationView } from './operation-view.ts';
import { headingsOf, prose } from './prose.ts';
import { type Group, groups, schemaAnchor } from './reference.ts';
import { schemaView } from './schema-view.ts';

/** Renders the page; sample commands call `siteUrl`. */
export function groupPage(group: Group, siteUrl: string): string {
  const content = html`${prose(group.description)}
${group.entries.map((entry) => operationView(entry, hostOf(siteUrl)))}
${group.schemas.length > 0 && html`<section id="schemas"><h2>Schemas</h2>${group.schemas.map(schemaSection)}</section>`}`;
  return page({ at: `docs/${group.slug}`, title: group.title, navigation: navigation(group), content });
}

function schemaSection({ name, schema }: Group['schemas'][number]): Html {
  const anchor = schemaAnchor(name);
  return html`<section id="${anchor}"><h3><a href="#${anchor}">${name}</a></h3>${prose(schema.description)}${schemaView(schema)}</section>
`;
}

/** All groups, and the content of the current one below it. */
function navigation(current: Group): Html {
  const items = groups.map((group) =>
    group === current
      ? html`<li><a href="#content" aria-current="page">${group.title}</a>${contents(group)}</li>`
      : html`<li><a href="${group.slug}">${group.title}</a></li>`,
  );
  return html`<ul>${items}<li><a href="errors">Errors</a></li><li><a href="rules">Rules</a></li></ul>`;
}

function contents({ description, entries, schemas }: Group): Html {
  const guide = headingsOf(description).map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
  const operations = entries.map(
    ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
  );
  const last = schemas.length > 0 && html`<li><a href="#schemas">Schemas</a></li>`;
  return html`<ul>${guide}${operations}${last}</ul>`;
}
