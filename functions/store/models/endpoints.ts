// The states of the endpoints of models: one item each, changed by conditional writes.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newNonce } from '#platform/ids.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import {
  backOff,
  getItem,
  getItems,
  type Item,
  MAX_ATTEMPTS,
  table,
  tableName,
  takesEffect,
} from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { EndpointState } from './endpoint-state.ts';

/** The states by name; an endpoint that was never away has none. */
export type EndpointStates = ReadonlyMap<string, EndpointState>;

/** The states in these items. */
export function statesIn(items: Item[], names: readonly string[]): EndpointStates {
  return new Map(
    names.flatMap((name) => {
      const { pk, sk } = keys.endpoint(name);
      const item = items.find((one) => one.pk === pk && one.sk === sk);
      return item ? [[name, EndpointState.parse(item)] as const] : [];
    }),
  );
}

export async function readStates(names: readonly string[]): Promise<EndpointStates> {
  return statesIn(await getItems(names.map(keys.endpoint)), names);
}

/**
 * Makes a change that `decide` makes of the state as last written; it decides again if another process was faster.
 * Returns the state after it, and whether it has changed.
 */
export async function changeState(
  name: string,
  decide: (state: EndpointState | undefined) => EndpointState | undefined,
): Promise<{ state: EndpointState | undefined; changed: boolean }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const item = await getItem(keys.endpoint(name));
    const state = item && EndpointState.parse(item);
    const next = decide(state);
    if (!next) return { state, changed: false };
    if (await replace(name, item?.version, next)) return { state: next, changed: true };
    await backOff(attempt);
  }
  throw new ServiceTrouble('the state of a model changes too often');
}

/** False if the item is no longer the one that has this version. */
function replace(name: string, version: unknown, state: EndpointState): Promise<boolean> {
  return takesEffect(
    table.send(
      new PutCommand({
        TableName: tableName(),
        Item: { ...keys.endpoint(name), ...state, version: newNonce() },
        ...(version === undefined
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : {
              ConditionExpression: '#version = :version',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':version': version },
            }),
      }),
    ),
  );
}
