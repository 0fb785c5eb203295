// The function that answers questions to records: one invocation per question.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { clientSettings } from '#platform/aws-client.ts';
import { env } from '#platform/env.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';

/** A question may wait for its index and then take long; nothing arrives before the answer. */
const SILENCE_MS = 60_000;

const overHttps = {
  requestHandler: {
    connectionTimeout: 2000,
    requestTimeout: SILENCE_MS,
    throwOnRequestTimeout: true,
    // A connection that died while the environment was frozen looks like a slow question, so none is reused.
    httpsAgent: { keepAlive: false },
  },
};
const client = new LambdaClient(clientSettings('lambda', overHttps));

/** Errors of the environment rather than of the code in it: a crash, too little memory, a timeout. */
const OF_ENVIRONMENT = /^(Runtime|Sandbox|Function|Extension)\./;

/**
 * Invokes the function with a JSON text and returns its reply, a JSON text. Throws ServiceTrouble when its environment
 * failed, what the SDK throws, and an Error with the message of the function's.
 */
export async function invokeRecords(question: string): Promise<string> {
  const invoke = new InvokeCommand({ FunctionName: env('RECORDS_FUNCTION'), Payload: Buffer.from(question) });
  const { Payload, FunctionError } = await client.send(invoke);
  const reply = Buffer.from(Payload ?? []).toString();
  if (FunctionError === undefined) return reply;
  const { errorType = '', errorMessage = '' } = Object(JSON.parse(reply || '{}'));
  const message = `records were not read: ${errorType} ${errorMessage}`;
  throw errorType === '' || OF_ENVIRONMENT.test(errorType) ? new ServiceTrouble(message) : new Error(message);
}
