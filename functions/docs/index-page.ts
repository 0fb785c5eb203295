// The first page of the reference: a searchable list of everything in it, and the rules of every route.
import { apiDocument, errorEntries, type Schema } from './document.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { headingsOf, prose } from './prose.ts';
import { type Entry, type Group, groups, schemaAnchor, start } from './reference.ts';
import { type RuleTopic, ruleTopics } from './rules-page.ts';

const [lead = '', ...rules] = apiDocument.info.description.split('\n\n');

/** The address in the samples of the guides. */
const SAMPLE_SITE = 'http://127.0.0.1:8787';

/** Renders the page; its samples call `siteUrl`. Its entries have the anchors of their own pages. */
export function indexPage(siteUrl: string): string {
  const content = html`${prose(start?.description.replaceAll(SAMPLE_SITE, siteUrl))}
<h2 id="reference">Reference</h2>
${prose(lead)}
<form id="search" role="search" hidden><label for="words">Search</label> <input id="words" type="search" autocomplete="off" spellcheck="false"> <span id="found" role="status"></span></form>
${groups.map(groupSection)}
${entriesSection('schemas', 'Schemas', groups.flatMap(schemaEntries))}
${entriesSection('errors', 'Errors', Object.entries(errorEntries).map(errorEntry))}
${entriesSection('rules', 'Rules', ruleTopics.map(ruleEntry))}
<section id="introduction">${prose(rules.join('\n\n'))}</section>`;
  return page({ at: 'docs', title: 'API reference', navigation: navigation(), content });
}

/** Words of no use in a search. */
const FILLER =
  /^(a|all|also|an|and|another|any|are|as|at|be|because|been|but|by|can|cannot|do|does|each|either|else|every|for|from|gets|has|have|how|if|in|into|is|it|its|itself|least|many|may|more|most|must|neither|never|no|none|not|of|on|one|only|or|other|others|otherwise|same|so|such|than|that|the|their|them|then|there|these|they|this|those|to|too|was|were|what|whatever|when|where|which|while|who|whole|whose|will|with|within|without|would|you|your)$/;

/**
 * One entry; `words` are searchable but not shown: each once, in lower case as the search compares them. It finds parts
 * of words, so those that are in another one are left out.
 */
function entry(id: string, words: string, content: Html): Html {
  const found = words.toLowerCase().match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?/gu) ?? [];
  const useful = found.filter((word) => !FILLER.test(word));
  const longestFirst = [...new Set(useful)].sort((a, b) => b.length - a.length);
  const each = longestFirst
    .reduce((all, word) => (all.includes(word) ? all : `${all} ${word}`), '')
    .trimStart();
  return html`<li id="${id}" data-words="${each}">${content}</li>
`;
}

function groupSection({ slug, title, description, entries }: Group): Html {
  const guide = headingsOf(description).map(({ id, text, words }) =>
    entry(`${slug}-${id}`, `${title} guide ${words}`, html`<a href="docs/${slug}#${id}">${text}</a>`),
  );
  const [about = ''] = description.split('\n\n').filter((part) => !part.startsWith('## '));
  return html`<section id="${title}" class="entries"><h2><a href="docs/${slug}">${title}</a></h2>${prose(about)}
<ul>${entries.map((one) => operationEntry(slug, one))}${guide}</ul></section>
`;
}

function operationEntry(slug: string, { method, path, operation }: Entry): Html {
  const { operationId, summary, description, parameters } = operation;
  const words = [operationId, description, ...parameters.map(({ name }) => name)].join(' ');
  return entry(
    operationId,
    words,
    html`<a href="docs/${slug}#${operationId}">${summary}</a> <span class="method">${method.toUpperCase()}</span> <code>${path}</code>`,
  );
}

const ruleEntry = ({ title, rules }: RuleTopic) =>
  entry(`rule-${title}`, rules.join(' '), html`<a href="docs/rules#${title}">${title}</a>`);

const fieldsOf = ({ properties = {}, enum: values = [] }: Schema) =>
  [...Object.keys(properties), ...values].join(' ');

const schemaEntries = ({ slug, schemas }: Group) =>
  schemas.map(({ name, schema }) => {
    const anchor = schemaAnchor(name);
    return entry(anchor, fieldsOf(schema), html`<a href="docs/${slug}#${anchor}">${name}</a>`);
  });

const errorEntry = ([code, { message, remedy, reasons = {} }]: [string, (typeof errorEntries)[string]]) =>
  entry(
    `error-${code}`,
    [message, remedy, ...Object.keys(reasons)].join(' '),
    html`<a href="docs/errors#${code}"><code>${code}</code></a>`,
  );

const entriesSection = (id: string, title: string, entries: Html[]) =>
  html`<section id="${id}" class="entries many"><h2>${title}</h2><ul>${entries}</ul></section>
`;

function navigation(): Html {
  return html`<ul>${groups.map(({ slug, title }) => html`<li><a href="docs/${slug}">${title}</a></li>`)}<li><a href="#schemas">Schemas</a></li><li><a href="docs/errors">Errors</a></li><li><a href="docs/rules">Rules</a></li><li><a href="#introduction">Rules of every route</a><ul>${headingsOf(rules.join('\n\n')).map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></li></ul>`;
}
