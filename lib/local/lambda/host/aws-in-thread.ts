// How a function in its thread reaches AWS: the table's engine in the thread itself, all other services by messages to the main thread.
import { parentPort } from 'node:worker_threads';
import { roleCheck } from '../../aws-endpoint/roles.ts';
import { type Engine, openEngine, performDurably } from '../../dynamodb/engine/engine.ts';
import { rightsOf } from '../../dynamodb/engine/rights.ts';
import type { JsonObject } from '../../json-values.ts';
import { tableClient, textClient } from './in-process-client.ts';
import type { AwsAccess, AwsReplyMessage, FromWorker } from './worker-messages.ts';

/** Makes the SDK clients of this thread use it; returns what takes the main thread's replies. */
export function connectAws(access: AwsAccess): (reply: AwsReplyMessage) => void {
  const waiting = new Map<number, (reply: AwsReplyMessage) => void>();
  let lastId = 0;

  function ask(service: string, operation: string, body: string): Promise<AwsReplyMessage> {
    const { promise, resolve } = Promise.withResolvers<AwsReplyMessage>();
    lastId += 1;
    waiting.set(lastId, resolve);
    post({ type: 'aws', id: lastId, service, operation, body });
    return promise;
  }

  const table = access.engineFile && tableClient(tableIn(access, access.engineFile));
  Object.assign(globalThis, {
    awsInProcess: (service: string) =>
      service === 'dynamodb' && table
        ? table
        : textClient((operation, body) => ask(service, operation, body)),
  });
  return (reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  };
}

/** The table: requests are checked against the function's role, carried out here, and answered when what they saw or wrote is on disk. */
function tableIn(
  { functionName, role, statements }: AwsAccess,
  { file, order, holder }: NonNullable<AwsAccess['engineFile']>,
) {
  const check = roleCheck({ caller: functionName, role, statements });
  const lost = (reason: string) => post({ type: 'lost', reason });
  let engine: Engine | undefined;
  return async (operation: string, input: JsonObject) => {
    check(rightsOf({ operation, input }));
    // Many functions never ask for the table.
    engine ??= openEngine(file, { order, holder, lost });
    return performDurably(engine, operation, input);
  };
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
