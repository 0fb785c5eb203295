// The engines that are compared, behind one way of asking.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  connectDynamoDb,
  type DynamoDb,
  startDynamoDb,
} from '../../../lib/local/dynamodb/dynamodb-engine.ts';
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
  stop(): Promise<void>;
}

function overHttp(name: string, { forward }: DynamoDb, stop: () => Promise<void>): ComparedEngine {
  return {
    name,
    async ask(operation, input) {
      const reply = await forward(operation, JSON.stringify(input));
      const body = parseObject(String(reply.body), operation);
      if (reply.status === 200) return { body };
      const { __type, message, Message, ...rest } = body;
      const code = String(__type).replace(/^.*#/, '');
      return {
        refusal: { status: reply.status, code, message: String(message ?? Message ?? '') },
        body: rest,
      };
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
