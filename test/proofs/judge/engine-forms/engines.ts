// The engines that are compared, behind one way of asking.
import { AwsError } from '../../../../lib/local/aws-endpoint/aws-protocol.ts';
import { openEngine } from '../../../../lib/local/dynamodb/engine/engine.ts';
import { connectDynamoDb } from '../../../../lib/local/dynamodb/other-engine.ts';
import { type JsonObject, parseObject } from '../../../../lib/local/json-values.ts';
import { startDynoxide } from '../../../support/dynoxide.ts';
import { startDynamoDbLocal } from '../dynamodb-local.ts';

/** What an engine answered. */
export interface Answer {
  /** Undefined for what succeeded. */
  refusal?: { status: number; code: string; message: string };
  /** The output, or the members of a refusal besides code and message. */
  body: JsonObject;
}

/** An engine under comparison. */
export interface ComparedEngine {
  name: string;
  ask(operation: string, input: JsonObject): Promise<Answer>;
  /** Forgets the tables. */
  forget(tables: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

type Perform = (operation: string, input: JsonObject) => JsonObject | Promise<JsonObject>;

/** What was returned or thrown, in wire format. */
async function answerOf(perform: Perform, operation: string, input: JsonObject): Promise<Answer> {
  try {
    const body = await perform(operation, input);
    return { body: parseObject(JSON.stringify(body), operation) };
  } catch (error) {
    if (!(error instanceof AwsError))
      return { refusal: { status: 500, code: 'Crash', message: String(error) }, body: {} };
    const { code, message, status, details } = error;
    return { refusal: { status, code, message }, body: parseObject(JSON.stringify(details), operation) };
  }
}

function overHttp(name: string, server: { url: string; stop(): Promise<void> }): ComparedEngine {
  const connected = connectDynamoDb(server.url);
  const ask: ComparedEngine['ask'] = (operation, input) => answerOf(connected.perform, operation, input);
  return {
    name,
    ask,
    async forget(tables) {
      for (const TableName of tables) await ask('DeleteTable', { TableName });
    },
    async stop() {
      await connected.stop();
      await server.stop();
    },
  };
}

/** AWS's own DynamoDB Local. */
export async function dynamoDbLocal(): Promise<ComparedEngine> {
  return overHttp('DynamoDB Local', await startDynamoDbLocal());
}

/** Dynoxide. */
export async function dynoxide(): Promise<ComparedEngine> {
  return overHttp('dynoxide', await startDynoxide());
}

/** The engine of the local runtime, in this process and in memory. */
export function embedded(): ComparedEngine {
  let engine = openEngine(':memory:');
  return {
    name: 'the embedded engine',
    ask: (operation, input) => answerOf(engine.perform, operation, structuredClone(input)),
    async forget() {
      await engine.close();
      engine = openEngine(':memory:');
    },
    stop: () => engine.close(),
  };
}
