// How a function in its thread reaches AWS: the table in the thread itself, other services by messages to the main
// thread.
import { parentPort } from 'node:worker_threads';
import { roleCheck } from '../../aws-endpoint/roles.ts';
import { type Engine, openEngine, performDurably } from '../../dynamodb/engine/engine.ts';
import { rightsOf } from '../../dynamodb/engine/rights.ts';
import type { JsonObject } from '../../json-values.ts';
import { type TextRequest, tableClient, textClient } from './in-process-client.ts';
import type { AwsAccess, AwsReplyMessage, FromWorker } from './worker-messages.ts';

/** Connects the SDK clients of this thread; returns the function that receives the main thread's replies. */
export function connectAws(access: AwsAccess): (reply: AwsReplyMessage) => void {
  const waiting = new Map<number, (reply: AwsReplyMessage) => void>();
  let lastId = 0;

  function ask(service: string, request: TextRequest): Promise<AwsReplyMessage> {
    const { promise, resolve } = Promise.withResolvers<AwsReplyMessage>();
    lastId += 1;
    waiting.set(lastId, resolve);
    post({ type: 'aws', id: lastId, service, ...request });
    return promise;
  }

  const table = access.engineFile && tableClient(tableIn(access, access.engineFile));
  Object.assign(globalThis, {
    awsInProcess: (service: string) =>
      service === 'dynamodb' && table ? table : textClient((request) => ask(service, request)),
  });
  return (reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  };
}

/**
 * The table. It checks each request against the function's role and answers once what was read or written is on disk.
 */
function tableIn(
  { functionName, role, statements }: AwsAccess,
  { file, order, holder }: NonNullable<AwsAccess['engineFile']>,
) {
  const check = roleCheck({ caller: functionName, role, statements });
  const lost = (reason: string) => post({ type: 'table_damaged', reason });
  let engine: Engine | undefined;
  return async (operation: string, input: JsonObject) => {
    check(rightsOf({ operation, input }));
    // Many functions never use the table.
    engine ??= openEngine(file, { order, holder, lost });
    return performDurably(engine, operation, input);
  };
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
