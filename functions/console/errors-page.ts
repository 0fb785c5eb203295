// The page behind every `doc_url`: each error code at the anchor of its name.
import { apiDocument, type ErrorEntry, errorEntries, type Schema, syncErrorCodes } from './document.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { inline } from './prose.ts';
import { schemaView } from './schema-view.ts';

const retryable = new Set([429, 500, 503, 504]);

/** Renders the page (rules.md: errors 4). */
export function errorsPage(): string {
  const entries = Object.entries(errorEntries);
  const navigation = html`<ul>${entries.map(([code]) => html`<li><a href="#${code}"><code>${code}</code></a></li>`)}<li><a href="#inbound-sync">Inbound sync</a></li></ul>`;
  return page('below', 'Errors', navigation, html`${entries.map(entry)}${syncSection()}`);
}

function entry([code, error]: [string, ErrorEntry]): Html {
  return html`<section id="${code}" class="error">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p><span class="status">${error.status}</span> <span class="category">${error.type}</span></p>
<p>${inline(error.message)}</p>
<p><strong>What to do.</strong> ${inline(error.remedy)} ${retryable.has(error.status) && html`<span class="retry">The same request may be sent again, with backoff and jitter.</span>`}</p>
${detailsOf(error)}</section>
`;
}

function detailsOf({ details }: ErrorEntry): Html | undefined {
  if (!details) return undefined;
  const schema = expanded(details);
  return html`<h3>Details</h3>${(schema.anyOf ?? [schema]).map(schemaView)}`;
}

/** A schema with all that it refers to in place: components have their anchors on another page. Details never refer to themselves. */
function expanded(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === 'string' ? expanded(componentOf(value.$ref)) : value,
  );
}

function componentOf(ref: string): Schema {
  return apiDocument.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
}

function syncSection(): Html {
  const replies = apiDocument.paths['/api/webhooks/sync/{bridge_id}']?.post?.responses ?? {};
  const rows = Object.entries(replies).flatMap(([status, reply]) =>
    (reply['x-error-codes'] ?? [])
      .filter((code) => syncErrorCodes.includes(code))
      .map((code) => html`<tr><th scope="row"><code>${code}</code></th><td>${status}</td></tr>`),
  );
  return html`<section id="inbound-sync"><h2>Inbound sync</h2>
<p>Inbound sync answers in a short shape of its own: <code>success</code>, <code>error</code> and <code>message</code>.</p>
<div class="scroll"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
