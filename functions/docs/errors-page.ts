// The target of every `doc_url`: each error code under an anchor of its name.
import { apiDocument, type ErrorEntry, errorEntries, type Schema, syncErrorCodes } from './document.ts';
import type { ReferencePage } from './layout.ts';
import { schemaTable } from './schema-table.ts';
import { blocks, code, codeBlock, list, table } from './write-markdown.ts';

const retryable = new Set([429, 500, 503, 504]);

/** The page (rules.md: errors 4). */
export function errorsPage(): ReferencePage {
  const entries = Object.entries(errorEntries);
  const contents = list([
    ...entries.map(([name]) => `[${code(name)}](#${name})`),
    '[Inbound sync](#inbound-sync)',
  ]);
  const content = blocks(
    'Every refusal is one envelope. `code` is stable and decides what to do; `doc_url` leads to its entry here.',
    codeBlock('json', JSON.stringify(envelope, null, 2)),
    ...entries.map(errorSection),
    syncSection(),
  );
  return { at: 'docs/errors', site: '../', title: 'Errors', contents, content };
}

const envelope =
  apiDocument.paths['/api/v1/runs/{id}']?.get?.responses['404']?.content?.['application/json']?.example;

function errorSection([name, error]: [string, ErrorEntry]): string {
  const again = retryable.has(error.status)
    ? ' The same request may be sent again, with backoff and jitter.'
    : '';
  return blocks(
    `## [${code(name)}](#${name})`,
    `**${error.status}** *${error.type}*`,
    error.message,
    `**What to do.** ${error.remedy}${again}`,
    reasonsOf(name, error),
    detailsOf(error),
  );
}

/** Each reason under the anchor `<code>.<reason>` (rules.md: errors 6). */
function reasonsOf(name: string, { reasons }: ErrorEntry): string | undefined {
  if (!reasons) return undefined;
  const items = Object.entries(reasons).map(
    ([reason, text]) => `[${code(reason)}](#${name}.${reason}): ${text}`,
  );
  return blocks('### Reasons', list(items));
}

function detailsOf({ details }: ErrorEntry): string | undefined {
  if (!details) return undefined;
  const schema = expand(details);
  return blocks('### Details', ...(schema.anyOf ?? [schema]).map(schemaTable));
}

/** A schema with references inlined: components have anchors on other pages. Details are never recursive. */
function expand(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === 'string' ? expand(componentOf(value.$ref)) : value,
  );
}

function componentOf(ref: string): Schema {
  return apiDocument.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
}

function syncSection(): string {
  const replies = apiDocument.paths['/api/webhooks/sync/{bridge_id}']?.post?.responses ?? {};
  const rows = Object.entries(replies).flatMap(([status, reply]) =>
    (reply['x-error-codes'] ?? [])
      .filter((name) => syncErrorCodes.includes(name))
      .map((name) => [code(name), status]),
  );
  return blocks(
    '## [Inbound sync](#inbound-sync)',
    'Inbound sync answers in a short shape of its own: `success`, `error` and `message`.',
    table(['Code', 'Status'], rows),
  );
}
