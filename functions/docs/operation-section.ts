// One operation: parameters, body, replies, errors, samples to paste, and recorded replies.
import { clientSamples } from './client-samples.ts';
import { apiDocument, errorEntries, type Operation, type Parameter, type Reply } from './document.ts';
import type { Entry } from './reference.ts';
import { boundedType, nameCell, schemaTable, typeOf } from './schema-table.ts';
import { blocks, code, codeBlock, table } from './write-markdown.ts';

/** The section of an operation, with a sample command that calls `host`; a webhook has none. */
export function operationSection({ method, path, operation, isWebhook }: Entry, host: string): string {
  const { operationId, summary, description } = operation;
  return blocks(
    `## [${summary}](#${operationId})`,
    `**${method.toUpperCase()}** ${code(path)}`,
    description,
    access(operation),
    parameters(operation),
    body(operation),
    replies(operation),
    ...(isWebhook ? [] : samples(host, method, path, operation)),
    ...answers(operation),
  );
}

/** The call by curl and by the clients, and as a form of the console. */
function samples(host: string, method: string, path: string, operation: Operation): (string | undefined)[] {
  const { typescript, python } = clientSamples[operation.operationId] ?? {};
  return [
    '### Example',
    codeBlock('sh', example(host, method, path, operation)),
    ...(typescript ? ['TypeScript', codeBlock('ts', typescript)] : []),
    ...(python ? ['Python', codeBlock('python', python)] : []),
    tryIt(operation),
  ];
}

/** A link that opens the console's form with the example. */
function tryIt({ operationId, requestBody }: Operation): string | undefined {
  const sent = requestBody?.content['application/json']?.example;
  if (operationId !== 'CreateRun' || sent === undefined) return undefined;
  const query = new URLSearchParams({ body: JSON.stringify(sent) });
  return `[Try it in the console](../console#/new?${query.toString()})`;
}

function access({ security }: Operation): string | undefined {
  const [[scheme, [scope] = []] = []] = security.flatMap((requirement) => Object.entries(requirement));
  if (scheme === undefined) return undefined;
  // The description names the scope.
  if (scheme === 'ApiKey') return scope ? undefined : 'Needs an API key.';
  return apiDocument.components.securitySchemes[scheme]?.description;
}

function parametersOf(operation: Operation): Parameter[] {
  return operation.parameters.map(
    (parameter) => apiDocument.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
  );
}

function parameters(operation: Operation): string | undefined {
  const rows = parametersOf(operation).map(
    ({ name = '', required, schema = {}, description = '', ...of }) => [
      nameCell(name, required),
      of.in ?? '',
      boundedType(schema),
      description,
    ],
  );
  return rows.length === 0
    ? undefined
    : blocks('### Parameters', table(['Name', 'In', 'Type', 'Meaning'], rows));
}

function body({ requestBody }: Operation): string | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && blocks(`### Body${requestBody?.required ? '' : ' (optional)'}`, schemaTable(schema));
}

function replies({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, reply]) => [status, contentOf(reply)]);
  return blocks('### Replies', table(['Status', 'Content'], rows));
}

function contentOf(reply: Reply): string {
  const codes = reply['x-error-codes'];
  if (codes) return codes.map(errorLink).join(', ');
  const content = Object.entries(reply.content ?? {}).map(([mediaType, { schema }]) =>
    mediaType === 'application/json' && schema ? typeOf(schema) : code(mediaType),
  );
  return [reply.description, ...content].join(' ');
}

/** Recorded replies, collapsed: some are long. */
function answers({ responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const [[mediaType, { example: shown } = {}] = []] = Object.entries(content ?? {});
    if (Number(status) >= 400 || shown === undefined) return [];
    const title = `Answer ${status}`;
    if (mediaType === 'text/event-stream') return [codeBlock('text', frameOf(shown), title)];
    return [codeBlock('json', JSON.stringify(shown, null, 2), title)];
  });
}

/** An event as its stream sends it. */
function frameOf(event: unknown): string {
  const { id, event_type } = Object(event);
  return `id: ${id}\nevent: ${event_type}\ndata: ${JSON.stringify(event)}`;
}

/** All codes of inbound sync link to one anchor. */
function errorLink(of: string): string {
  return `[${code(of)}](errors.md#${Object.hasOwn(errorEntries, of) ? of : 'inbound-sync'})`;
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
    `curl${isStream ? ' -N' : ''}${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${[url, ...query].join('?')}"`,
    ...(schemes.includes('ApiKey') ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(schemes.includes('SyncSignature')
      ? ['-H "X-Webhook-Signature: sha256=$SIGNATURE"', '-H "X-Webhook-Timestamp: $TIMESTAMP"']
      : []),
    ...(sent === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(sent, null, 2)}'`]),
  ].join(' \\\n  ');
}
