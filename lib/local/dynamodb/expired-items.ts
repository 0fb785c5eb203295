// Time to live: deletes expired items in the background, late, as DynamoDB does.
import { setTimeout as pause } from 'node:timers/promises';
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../json-values.ts';
import type { Resource, Stack } from '../template/template.ts';
import type { TableService } from './engine/table-service.ts';

/** A table whose items expire. */
export interface ExpiringTable {
  name: string;
  /** The attribute with the expiry in epoch seconds. */
  attribute: string;
  /** Attributes of the primary key. */
  keyNames: string[];
}

/** AWS promises a few days; every 6 hours also suits a machine that is off at night. */
const EVERY_MS = 6 * 3600 * 1000;
const FIRST_AFTER_MS = 60_000;
/** Pause between two pages, so that requests are served. */
const PAUSE_MS = 50;
const PAGE_ITEMS = 250;

/** The tables of the template whose items expire. */
export function expiringTables(stack: Stack): ExpiringTable[] {
  return stack.ofType('AWS::DynamoDB::Table').flatMap((table) => {
    const { properties, attributes } = table;
    const setting = properties.TimeToLiveSpecification;
    if (!isObject(setting) || setting.Enabled !== true) return [];
    const keyNames = keyNamesOf(table);
    return [{ name: attributes.ref, attribute: String(setting.AttributeName), keyNames }];
  });
}

/** The attributes of a table's primary key in its template. */
export function keyNamesOf({ id, properties }: Resource): string[] {
  return listAt(properties.KeySchema, id).map((key) => stringAt(objectAt(key, id).AttributeName, id));
}

/**
 * Deletes items that expired before `nowMs`; returns their number. An item that was rewritten in between stays. Throws
 * when the engine fails.
 */
export async function deleteExpired(
  engine: Pick<TableService, 'perform'>,
  { name, attribute, keyNames }: ExpiringTable,
  nowMs: number,
): Promise<number> {
  const expired = {
    ExpressionAttributeNames: { '#end': attribute },
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1000)) } },
  };
  let deleted = 0;
  let ExclusiveStartKey: JsonObject | undefined;
  do {
    const page = await engine.perform('Scan', {
      TableName: name,
      FilterExpression: '#end <= :now',
      ...expired,
      Limit: PAGE_ITEMS,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    for (const item of listAt(page.Items, name).map((one) => objectAt(one, name))) {
      const Key = Object.fromEntries(keyNames.map((part) => [part, item[part]]));
      const condition = { ConditionExpression: '#end <= :now', ...expired };
      if (await deletes(engine, { TableName: name, Key, ...condition })) deleted += 1;
    }
    ExclusiveStartKey = isObject(page.LastEvaluatedKey) ? page.LastEvaluatedKey : undefined;
    await pause(PAUSE_MS);
  } while (ExclusiveStartKey);
  return deleted;
}

async function deletes(engine: Pick<TableService, 'perform'>, input: JsonObject): Promise<boolean> {
  try {
    await engine.perform('DeleteItem', input);
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

/** Repeats the deletion; returns a function that ends it. A failed round is left to the next one. */
export function keepDeletingExpired(engine: TableService, tables: ExpiringTable[]): () => void {
  const run = async () => {
    for (const table of tables) await deleteExpired(engine, table, Date.now()).catch(() => 0);
  };
  let timer = setTimeout(function again() {
    void run();
    timer = setTimeout(again, EVERY_MS).unref();
  }, FIRST_AFTER_MS).unref();
  return () => clearTimeout(timer);
}
