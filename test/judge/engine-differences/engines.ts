// The engines that are compared, behind one way of asking.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsError } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import {
  connectDynamoDb,
  type DynamoDb,
  startDynamoDb,
} from '../../../lib/local/dynamodb/dynamodb-engine.ts';
import { openEngine } from '../../../lib/local/dynamodb/engine.ts';
import { type JsonObject, parseObject } from '../../../lib/local/json-values.ts';
import { startDynamoDbLocal } from '../dynamodb-local.ts';

/** What an engine answered. */
export interface Answer {
  /** Undefined for what succeeded. */
  refusal?: { status: number; code: string; message: string };
  /** The output, or what a refusal holds beside its code and message. */
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

function overHttp(name: string, { forward }: DynamoDb, stop: () => Promise<void>): ComparedEngine {
  async function ask(operation: string, input: JsonObject): Promise<Answer> {
    const reply = await forward(operation, JSON.stringify(input));
    const body = parseObject(String(reply.body), operation);
    if (reply.status === 200) return { body };
    const { __type, message, Message, ...rest } = body;
    const code = String(__type).replace(/^.*#/, '');
    return { refusal: { status: reply.status, code, message: String(message ?? Message ?? '') }, body: rest };
  }
  return {
    name,
    ask,
    async forget(tables) {
      for (const TableName of tables) await ask('DeleteTable', { TableName });
    },
    stop,
  };
}

/** AWS's own DynamoDB Local. */
export async function dynamoDbLocal(): Promise<ComparedEngine> {
  const local = await startDynamoDbLocal();
  const connected = connectDynamoDb(local);
  return overHttp('DynamoDB Local', connected, async () => {
    await connected.stop();
    await local.stop();
  });
}

/** Dynoxide, in a folder of its own. */
export async function dynoxide(): Promise<ComparedEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-differences-'));
  const engine = await startDynamoDb(folder);
  return overHttp('dynoxide', engine, async () => {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The engine of the local runtime, in this process and in memory. */
export function embedded(): ComparedEngine {
  let engine = openEngine(':memory:');
  return {
    name: 'the embedded engine',
    async ask(operation, input) {
      try {
        return {
          body: parseObject(JSON.stringify(engine.perform(operation, structuredClone(input))), operation),
        };
      } catch (error) {
        if (!(error instanceof AwsError))
          return { refusal: { status: 500, code: 'Crash', message: String(error) }, body: {} };
        const { code, message, status, details } = error;
        return { refusal: { status, code, message }, body: parseObject(JSON.stringify(details), operation) };
      }
    },
    async forget() {
      await engine.close();
      engine = openEngine(':memory:');
    },
    stop: () => engine.close(),
  };
}
