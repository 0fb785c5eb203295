// The target of every `doc_url`: each error code under an anchor of its name.
import { apiDocument, type ErrorEntry, errorEntries, type Schema, syncErrorCodes } from './document.ts';
import { type Html, html } from './html.ts';
import { page } from './layout.ts';
import { codeBlock, inline } from './prose.ts';
import { schemaView } from './schema-view.ts';

const retryable = new Set([429, 500, 503, 504]);

/** Renders the page (rules.md: errors 4). */
export function errorsPage(): string {
  const entries = Object.entries(errorEntries);
  const navigation = html`<ul>${entries.map(([code]) => html`<li><a href="#${code}"><code>${code}</code></a></li>`)}<li><a href="#inbound-sync">Inbound sync</a></li></ul>`;
  const content = html`<p>Every refusal is one envelope. <code>code</code> is stable and decides what to do; <code>doc_url</code> leads to its entry here.</p>
${codeBlock(JSON.stringify(envelope, null, 2))}
${entries.map(entry)}${syncSection()}`;
  return page({ at: 'docs/errors', title: 'Errors', navigation, content });
}

const envelope =
  apiDocument.paths['/api/v1/runs/{id}']?.get?.responses['404']?.content?.['application/json']?.example;

function entry([code, error]: [string, ErrorEntry]): Html {
  return html`<section id="${code}" class="error">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p><span class="status">${error.status}</span> <span class="category">${error.type}</span></p>
<p>${inline(error.message)}</p>
<p><strong>What to do.</strong> ${inline(error.remedy)} ${retryable.has(error.status) && html`<span class="retry">The same request may be sent again, with backoff and jitter.</span>`}</p>
${reasonsOf(code, error)}${detailsOf(error)}</section>
`;
}

/** Each reason under the anchor `<code>.<reason>` (rules.md: errors 6). */
function reasonsOf(code: string, { reasons }: ErrorEntry): Html | undefined {
  if (!reasons) return undefined;
  const rows = Object.entries(reasons).map(
    ([reason, text]) =>
      html`<dt id="${code}.${reason}"><a href="#${code}.${reason}"><code>${reason}</code></a></dt><dd>${inline(text)}</dd>`,
  );
  return html`<h3>Reasons</h3><dl>${rows}</dl>`;
}

function detailsOf({ details }: ErrorEntry): Html | undefined {
  if (!details) return undefined;
  const schema = expanded(details);
  return html`<h3>Details</h3>${(schema.anyOf ?? [schema]).map(schemaView)}`;
}

/** A schema with references inlined: components have anchors on other pages. Details are never recursive. */
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
