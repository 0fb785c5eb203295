// The document client. It resolves the middleware stack once per command class, not on every call.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  DynamoDBDocumentClientCommand,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  type TranslateConfig,
} from '@aws-sdk/lib-dynamodb';

type Command = Parameters<DynamoDBDocumentClient['send']>[0];
type Handler = (call: { input: ServiceInputTypes }) => Promise<{ output: ServiceOutputTypes }>;

/** Middleware whose effect nothing uses: log lines, the user agent, the recursion trace. */
const UNUSED = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/**
 * A document client of `client`. Middleware added after the first command of a kind has no effect on that kind. The
 * document client refuses the SDK's own setting for this (`cacheMiddleware`).
 */
export function documentClient(client: DynamoDBClient, translation: TranslateConfig): DynamoDBDocumentClient {
  for (const name of UNUSED) client.middlewareStack.remove(name);
  const documents = DynamoDBDocumentClient.from(client, translation);
  const sendUncached = documents.send.bind(documents);
  const handlers = new Map<unknown, Handler>();

  async function send(
    command: Command,
    options?: { abortSignal?: AbortSignal },
  ): Promise<ServiceOutputTypes> {
    // Options, such as a signal, belong to one call and are bound into its chain.
    if (options) return sendUncached(command, options);
    const handle = handlers.get(command.constructor) ?? handlerOf(command, documents);
    handlers.set(command.constructor, handle);
    return (await handle({ input: command.input })).output;
  }
  return Object.assign(documents, { send });
}

/** The handler of all commands of a kind. The command says which parts of input and output to marshall. */
function handlerOf(command: Command, { middlewareStack, config }: DynamoDBDocumentClient): Handler {
  if (!(command instanceof DynamoDBDocumentClientCommand)) throw new TypeError('not a command on documents');
  // biome-ignore lint/complexity/useLiteralKeys: a protected member; the command's own method binds its one input
  command['addMarshallingMiddleware'](config);
  // biome-ignore lint/complexity/useLiteralKeys: the same
  return command['clientCommand'].resolveMiddleware(middlewareStack, config, {});
}
