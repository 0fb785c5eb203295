// One operation: parameters, body, replies, errors, samples to paste, and recorded replies.
import { clientSamples } from './client-samples.ts';
import { apiDocument, errorEntries, type Operation, type Parameter, type Reply } from './document.ts';
import { type Html, html, join } from './html.ts';
import { codeBlock, inline, prose } from './prose.ts';
import type { Entry } from './reference.ts';
import { boundsOf, schemaView, typeOf } from './schema-view.ts';

/** Renders an operation with a sample command that calls `host`; a webhook has none. */
export function operationView({ method, path, operation, isWebhook }: Entry, host: string): Html {
  const { operationId, summary, description } = operation;
  return html`<section id="${operationId}" class="operation">
<h2><a href="#${operationId}">${summary}</a></h2>
<p class="line"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
${prose(description)}
${access(operation)}${parameters(operation)}${body(operation)}${replies(operation)}
${!isWebhook && html`<h3>Example</h3>${codeBlock(example(host, method, path, operation))}${withClients(operation)}${tryIt(operation)}`}${answers(operation)}
</section>
`;
}

/** The same call by the clients. */
function withClients({ operationId }: Operation): Html[] {
  const { typescript, python } = clientSamples[operationId] ?? {};
  const shown = Object.entries({ TypeScript: typescript, Python: python });
  return shown.flatMap(([language, code]) => (code ? [html`<p>${language}</p>${codeBlock(code)}`] : []));
}

/** A link that opens the console's form with the example. */
function tryIt({ operationId, requestBody }: Operation): Html | undefined {
  const sent = requestBody?.content['application/json']?.example;
  if (operationId !== 'CreateRun' || sent === undefined) return undefined;
  const query = new URLSearchParams({ body: JSON.stringify(sent) });
  return html`<p><a class="try" href="../console#/new?${query.toString()}">Try it in the console</a></p>`;
}

function access({ security }: Operation): Html | undefined {
  const [[scheme, [scope] = []] = []] = security.flatMap((requirement) => Object.entries(requirement));
  if (scheme === undefined) return undefined;
  // The description names the scope.
  if (scheme === 'ApiKey') return scope ? undefined : html`<p class="access">Needs an API key.</p>`;
  return html`<p class="access">${inline(apiDocument.components.securitySchemes[scheme]?.description ?? '')}</p>`;
}

function parametersOf(operation: Operation): Parameter[] {
  return operation.parameters.map(
    (parameter) => apiDocument.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
  );
}

function parameters(operation: Operation): Html | undefined {
  const rows = parametersOf(operation).map(
    (parameter) =>
      html`<tr><th scope="row"><code>${parameter.name}</code>${!parameter.required && html` <span class="optional">optional</span>`}</th><td>${parameter.in}</td><td>${typeOf(parameter.schema ?? {})} ${boundsOf(parameter.schema ?? {})}</td><td>${inline(parameter.description ?? '')}</td></tr>`,
  );
  if (rows.length === 0) return undefined;
  return html`<h3>Parameters</h3><div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function body({ requestBody }: Operation): Html | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && html`<h3>Body${!requestBody?.required && ' (optional)'}</h3>${schemaView(schema)}`;
}

function replies({ responses }: Operation): Html {
  const rows = Object.entries(responses).map(
    ([status, reply]) => html`<tr><th scope="row">${status}</th><td>${replyView(reply)}</td></tr>`,
  );
  return html`<h3>Replies</h3><div class="scroll"><table><thead><tr><th scope="col">Status</th><th scope="col">Content</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function replyView(reply: Reply): Html {
  const codes = reply['x-error-codes'];
  if (codes) return join(codes.map(errorLink), ', ');
  const content = Object.entries(reply.content ?? {}).map(([mediaType, { schema }]) =>
    mediaType === 'application/json' && schema ? html` ${typeOf(schema)}` : html` <code>${mediaType}</code>`,
  );
  return html`${inline(reply.description)}${content}`;
}

/** Recorded replies, collapsed: some are long. */
function answers({ responses }: Operation): Html[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const [[mediaType, { example: shown } = {}] = []] = Object.entries(content ?? {});
    if (Number(status) >= 400 || shown === undefined) return [];
    const text = mediaType === 'text/event-stream' ? frameOf(shown) : JSON.stringify(shown, null, 2);
    return [html`<details><summary>Answer ${status}</summary>${codeBlock(text)}</details>`];
  });
}

/** An event as its stream sends it. */
function frameOf(event: unknown): string {
  const { id, event_type } = Object(event);
  return `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify(event)}`;
}

/** All codes of inbound sync link to one anchor. */
function errorLink(code: string): Html {
  const anchor = Object.hasOwn(errorEntries, code) ? code : 'inbound-sync';
  return html`<a href="errors#${anchor}"><code>${code}</code></a>`;
}

function example(host: string, method: string, path: string, operation: Operation): string {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement));
  const isStream = schemes.includes('EventToken');
  const query = parametersOf(operation)
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(parameter.example ?? ''))}`);
  const url = `${host}${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  const sent = operation.requestBody?.content['application/json']?.example;
  return [
    `curl${isStream ? ' -N' : ''}${method === 'post' ? ' -X POST' : ''} "${[url, ...query].join('?')}"`,
    ...(schemes.includes('ApiKey') ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(schemes.includes('SyncSignature')
      ? ['-H "X-Webhook-Signature: sha256=$SIGNATURE"', '-H "X-Webhook-Timestamp: $TIMESTAMP"']
      : []),
    ...(sent === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(sent, null, 2)}'`]),
  ].join(' \\\n  ');
}
