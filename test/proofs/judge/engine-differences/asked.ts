// What an engine is asked, and what a comparison needs to know of it.
import { isObject, type Json, type JsonObject } from '../../../../lib/local/json-values.ts';

/** One operation, as both engines are asked. */
export interface Asked {
  operation: string;
  input: JsonObject;
  /** All pages are read, each engine by its own LastEvaluatedKey: what is read in which order is left open. */
  walk?: boolean;
  /** How often it was spoiled; what it was made from may have been wrong too. */
  faults?: number;
}

/** An item that a request names by its key or contains. */
export interface Named {
  table: string;
  holder: JsonObject;
}

/** The members of a list that are objects. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whatever has expressions: the request, or its parts that have their own. */
export function expressionHolders({ input }: Asked): JsonObject[] {
  const actions = objectsOf(input.TransactItems).flatMap((one) => Object.values(one).filter(isObject));
  const tables = isObject(input.RequestItems) ? Object.values(input.RequestItems).filter(isObject) : [];
  return [input, ...actions, ...tables];
}

/** Every item that a request names. */
export function namedItems({ input }: Asked): Named[] {
  const named: Named[] = [];
  const add = (table: Json | undefined, holder: Json | undefined) => {
    if (typeof table === 'string' && isObject(holder)) named.push({ table, holder });
  };
  add(input.TableName, input.Key ?? input.Item);
  for (const action of objectsOf(input.TransactItems).flatMap((one) => Object.values(one).filter(isObject)))
    add(action.TableName, action.Key ?? action.Item);
  for (const [table, requests] of isObject(input.RequestItems) ? Object.entries(input.RequestItems) : []) {
    if (isObject(requests)) for (const key of objectsOf(requests.Keys)) add(table, key);
    for (const request of objectsOf(requests).flatMap((one) => Object.values(one).filter(isObject)))
      add(table, request.Key ?? request.Item);
  }
  return named;
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems']);

/** Whether it may change items. */
export const isWrite = ({ operation }: Asked): boolean => WRITES.has(operation);
