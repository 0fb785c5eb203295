// Faults planted into the code's calls to the table, one by one: a simulation that does not find them proves nothing.
import type { AwsCall } from '../../support/faults.ts';

/** Carries out a call with the bug in it. */
export type Plant = (call: AwsCall, perform: (input: object) => object) => object;

type Action = Record<string, unknown>;

const keyOf = (one: Action) => {
  const { pk = '', sk = '' } = Object(one.Item ?? one.Key);
  return `${pk} ${sk}`;
};

/** Without the names and values that no expression uses any more: for those the table would refuse the request. */
function withoutUnused({ ExpressionAttributeNames, ExpressionAttributeValues, ...rest }: Action): Action {
  const text = `${rest.UpdateExpression} ${rest.ConditionExpression}`;
  const used = (given: unknown) => {
    const entries = Object.entries(Object(given)).filter(([name]) => new RegExp(`${name}\\b`).test(text));
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  return {
    ...rest,
    ExpressionAttributeNames: used(ExpressionAttributeNames),
    ExpressionAttributeValues: used(ExpressionAttributeValues),
  };
}

/** Changes each write whose key matches; undefined drops it. */
function eachWrite(key: RegExp, plant: (one: Action) => Action | undefined): Plant {
  const change = (one: Action) => {
    const changed = plant(one);
    return changed && withoutUnused(changed);
  };
  return ({ command, input }, perform) => {
    if (command === 'TransactWriteCommand') {
      const { TransactItems } = Object(input);
      const after = TransactItems.flatMap((action: Record<string, Action>) =>
        Object.entries(action).flatMap(([kind, one]) => {
          const isWrite = kind !== 'ConditionCheck';
          const changed = isWrite && key.test(keyOf(one)) ? change(one) : one;
          return changed ? [{ [kind]: changed }] : [];
        }),
      );
      return perform({ ...input, TransactItems: after });
    }
    const isWrite = ['PutCommand', 'UpdateCommand', 'DeleteCommand'].includes(command);
    const one: Action = { ...input };
    if (!isWrite || !key.test(keyOf(one))) return perform(input);
    const changed = change(one);
    return changed ? perform(changed) : {};
  };
}

/** Values that only a condition names must not be given without it. */
const unconditional = ({ ConditionExpression: _, ...rest }: Action): Action => rest;
const without =
  (...names: string[]) =>
  (one: Action): Action => ({
    ...one,
    Item: Object.fromEntries(Object.entries(Object(one.Item)).filter(([name]) => !names.includes(name))),
  });
const ifUpdates = (text: string, change: (one: Action) => Action | undefined) => (one: Action) =>
  String(one.UpdateExpression ?? '').includes(text) ? change(one) : one;
const withCondition = (change: (text: string) => string) => (one: Action) => ({
  ...one,
  ConditionExpression: change(String(one.ConditionExpression ?? '')) || undefined,
});
const replaced = (from: string, to: string) => withCondition((text) => text.replace(from, to));

/** Sooner than any model is tried again. */
const SOON_MS = 2000;

/** Reads of single items do not have an attribute. */
function answersWithout(pk: RegExp, name: string): Plant {
  const strip = (item: unknown) => {
    const { [name]: _, ...rest } = Object(item);
    return pk.test(String(Object(item).pk)) ? rest : item;
  };
  return ({ command, input }, perform) => {
    const reply = perform(input);
    if (command === 'GetCommand') return { ...reply, Item: strip(Object(reply).Item) };
    const { Responses } = Object(reply);
    if (command !== 'BatchGetCommand' || !Responses) return reply;
    const stripped = Object.entries(Responses).map(([table, items]) => [
      table,
      Array.isArray(items) ? items.map(strip) : items,
    ]);
    return { ...reply, Responses: Object.fromEntries(stripped) };
  };
}

/** Never finds what is due of a kind. */
const forgets =
  (kind: string): Plant =>
  ({ command, input }, perform) => {
    const partition = String(Object(input).ExpressionAttributeValues?.[':partition']);
    return command === 'QueryCommand' && partition.startsWith(kind) ? { Items: [] } : perform(input);
  };

/** Every planted bug, by what it does. */
export const planted: Record<string, Plant> = {
  'commits do not ask whether the run changed': eachWrite(/#RUN#\S+ (META$|EVENT#)/, unconditional),
  'fires do not ask whether the monitor changed': eachWrite(/#MONITORS /, unconditional),
  'fires are not listed': eachWrite(/#FIRES#/, () => undefined),
  'events are not written': eachWrite(/ EVENT#/, () => undefined),
  'the end of a run makes no delivery': eachWrite(/ DELIVERY#/, (one) => (one.Item ? undefined : one)),
  'attempts of deliveries are not claimed': eachWrite(
    / DELIVERY#/,
    ifUpdates('SET claimed_until', unconditional),
  ),
  'attempts are recorded twice': eachWrite(
    / DELIVERY#/,
    ifUpdates('attempts = :attempts', (one) => {
      const values = Object(one.ExpressionAttributeValues);
      const attempts = [...values[':attempts'], ...values[':attempts'].slice(-1)];
      return { ...one, ExpressionAttributeValues: { ...values, ':attempts': attempts } };
    }),
  ),
  'overdue deliveries are not due': eachWrite(/ DELIVERY#/, without('due_pk')),
  'the sweep forgets runs': forgets('RUN#'),
  'the sweep forgets deliveries': forgets('DELIVERY#'),
  'the sweep forgets slots': forgets('SLOTS#'),
  'open runs are not due': eachWrite(/#RUN#\S+ META$/, without('due_pk')),
  // Only the replay of commits finds it: no client sees an owner, and the next start replaces it.
  'a paused run has an owner': eachWrite(/#RUN#\S+ META$/, (one) =>
    Object(one.Item).status === 'paused' ? { ...one, Item: { ...Object(one.Item), owner: 'someone' } } : one,
  ),
  'a key is claimed though it is taken': eachWrite(/#IDEMPOTENCY#/, unconditional),
  'a key is not bound to its run': eachWrite(/#IDEMPOTENCY#/, (one) =>
    Object(one.Item).run_id === undefined ? one : undefined,
  ),
  'slots have no limit': eachWrite(/ COUNTERS$/, replaced('AND size(slots) < :limit', '')),
  'a slot is claimed twice': eachWrite(/ COUNTERS$/, replaced('attribute_not_exists(slots.#run) AND', '')),
  'a hold is settled twice': eachWrite(/ COUNTERS$/, ifUpdates('REMOVE slots.#run', unconditional)),
  'a slot with an item of its own is claimed twice': eachWrite(/#SLOTS /, (one) =>
    one.Item ? unconditional(one) : one,
  ),
  'a hold takes no credits': eachWrite(/ COUNTERS$/, (one) => ({
    ...one,
    UpdateExpression:
      typeof one.UpdateExpression === 'string'
        ? one.UpdateExpression.replace('credits_free = credits_free - :held,', '')
        : undefined,
  })),
  'what is unused is not given back': eachWrite(/ COUNTERS$/, (one) => ({
    ...one,
    UpdateExpression:
      typeof one.UpdateExpression === 'string'
        ? one.UpdateExpression.replace('credits_free = credits_free + :returned,', '')
        : undefined,
  })),
  'the ledger misses the settlements': eachWrite(
    / COUNTERS$/,
    ifUpdates('REMOVE slots.#run', (one) => ({
      ...one,
      UpdateExpression: String(one.UpdateExpression).replace(/, noted = list_append\(.*?\), :noted\)/, ''),
    })),
  ),
  'costs are lost': eachWrite(/#COSTS /, () => undefined),
  'a commit without a reply is taken for none': eachWrite(/#RUN#\S+ META$/, without('counted_by')),
  'the journal forgets what others wrote': eachWrite(
    / CALL#/,
    replaced('written_by = :known', 'written_by <> :known'),
  ),
  'money is a float': eachWrite(/#COSTS /, (one) => {
    const values = Object(one.ExpressionAttributeValues);
    const cost = Math.round(Number(values[':cost']) / 3e6) * 3e6;
    return { ...one, ExpressionAttributeValues: { ...values, ':cost': cost } };
  }),
  'checkpoints are not saved': eachWrite(/ STEP#/, () => undefined),
  'artifacts are not saved': eachWrite(/#ARTIFACTS /, () => undefined),
  'older versions overwrite newer ones': eachWrite(/#SYNCED#/, (one) => ({
    ...one,
    ...(one.Item ? { Item: { ...Object(one.Item), version: 0 } } : {}),
  })),
  'tombstones are missing': eachWrite(/#SYNCED#/, (one) =>
    Object(one.Item).deleted === true ? undefined : one,
  ),
  'two messages of a resource overtake each other': eachWrite(/#SYNCED#/, unconditional),
  'every call tries a model that was away': answersWithout(/^ENDPOINT#/, 'probe'),
  'a model asks for a wait in vain': eachWrite(/^ENDPOINT#/, (one) => {
    const { until, went_at } = Object(one.Item);
    return { ...one, Item: { ...Object(one.Item), until: Math.min(until, went_at + SOON_MS) } };
  }),
  'a run that waits is said to run while its call tries the model': eachWrite(/#RUN#\S+ META$/, (one) => {
    const { waiting, task_token: _, ...rest } = Object(one.Item);
    const tries = waiting?.reason === 'model_unavailable' && rest.owner !== undefined;
    return tries ? { ...one, Item: { ...rest, status: 'running' } } : one;
  }),
  'waits do not count': eachWrite(/#RUN#\S+ META$/, without('model_waited_ms')),
  'a wait for a model begins again and again': eachWrite(/#RUN#\S+ META$/, (one) => {
    const { waiting } = Object(one.Item);
    if (waiting?.until === undefined) return one;
    return { ...one, Item: { ...Object(one.Item), waiting: { ...waiting, since: waiting.until } } };
  }),
  'tokens are lost': eachWrite(/#RUN#\S+ META$/, without('task_token')),
  'no journal is read after a wait': ({ command, input }, perform) => {
    const { ExpressionAttributeValues = {} } = Object(input);
    const isJournal = Object.values(ExpressionAttributeValues).some((value) => /^CALL#/.test(String(value)));
    return command === 'QueryCommand' && isJournal ? { Items: [] } : perform(input);
  },
  'half a transaction is enough': ({ command, input }, perform) => {
    const { TransactItems = [] } = Object(input);
    if (command !== 'TransactWriteCommand' || TransactItems.length < 3) return perform(input);
    return perform({ ...input, TransactItems: TransactItems.slice(0, -1) });
  },
  'a read takes the record of a neighbour': ({ command, input }, perform) => {
    const { Key } = Object(input);
    return command === 'GetCommand' && Key?.sk === 'META'
      ? perform({ ...input, Key: { ...Key, pk: `WS#other${Key.pk}` } })
      : perform(input);
  },
};
