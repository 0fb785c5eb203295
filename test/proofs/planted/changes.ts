// How planted faults change what the code asks of the table, and what it is answered.
import type { Random } from '../random.ts';

/** An item, or the input of a write. */
export type Values = Record<string, unknown>;

/** A call to the table, by the name of its command, with plain values. */
export interface TableCall {
  command: string;
  input: object;
  /** The function that makes it; absent in a simulation, which has one process for all. */
  caller?: string;
}

/** A fault in one of the two directions, or in both. */
export interface Plant {
  /** What is asked in place of a call; undefined drops it, and it seems to have worked. */
  ask?(call: TableCall): object | undefined;
  /** What is answered in place of the reply. */
  answer?(call: TableCall, reply: object): object;
}

/** Makes a fault, whose chances a seed repeats. */
export type PlantFault = (chance: Random) => Plant;

/** Carries out a call with the fault in it. */
export function withPlant(plant: Plant, call: TableCall, perform: (input: object) => object): object {
  const input = plant.ask ? plant.ask(call) : call.input;
  if (input === undefined) return {};
  const reply = perform(input);
  return plant.answer ? plant.answer({ ...call, input }, reply) : reply;
}

/** The keys of an item or of what names one. */
export const nameOf = (value: unknown): string => {
  const { pk = '', sk = '' } = Object(value);
  return `${pk} ${sk}`;
};

/** Without the names and values that no expression uses any more: for those the table would refuse the request. */
function withoutUnused({ ExpressionAttributeNames, ExpressionAttributeValues, ...rest }: Values): Values {
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
export function eachWrite(key: RegExp, change: (one: Values) => Values | undefined): Plant {
  const changed = (one: Values) => {
    const after = key.test(nameOf(one.Item ?? one.Key)) ? change(one) : one;
    return after === one ? one : after && withoutUnused(after);
  };
  return {
    ask({ command, input }) {
      if (['PutCommand', 'UpdateCommand', 'DeleteCommand'].includes(command)) return changed({ ...input });
      if (command !== 'TransactWriteCommand') return input;
      const { TransactItems } = Object(input);
      const actions = TransactItems.flatMap((action: Record<string, Values>) =>
        Object.entries(action).flatMap(([kind, one]) => {
          const after = kind === 'ConditionCheck' ? one : changed(one);
          return after ? [{ [kind]: after }] : [];
        }),
      );
      return { ...input, TransactItems: actions };
    },
  };
}

/** Values that only a condition names must not be given without it. */
export const unconditional = ({ ConditionExpression: _, ...rest }: Values): Values => rest;
export const without =
  (...names: string[]) =>
  (one: Values): Values => ({
    ...one,
    Item: Object.fromEntries(Object.entries(Object(one.Item)).filter(([name]) => !names.includes(name))),
  });
export const ifUpdates = (text: string, change: (one: Values) => Values | undefined) => (one: Values) =>
  String(one.UpdateExpression ?? '').includes(text) ? change(one) : one;
const withCondition = (change: (text: string) => string) => (one: Values) => ({
  ...one,
  ConditionExpression: change(String(one.ConditionExpression ?? '')) || undefined,
});
export const replaced = (from: string, to: string) => withCondition((text) => text.replace(from, to));

/** Changes the items that reads of single ones and of several find. */
export function eachRead(
  change: (found: Values[], call: TableCall) => Values[],
): NonNullable<Plant['answer']> {
  return (call, reply) => {
    const { Item, Responses } = Object(reply);
    if (call.command === 'GetCommand' && Item) return { ...reply, Item: change([Item], call)[0] };
    if (call.command !== 'BatchGetCommand' || !Responses) return reply;
    const changed = Object.entries(Responses).map(([table, items]) => [
      table,
      Array.isArray(items) ? change(items, call) : items,
    ]);
    return { ...reply, Responses: Object.fromEntries(changed) };
  };
}

/** Reads of items do not have an attribute. */
export const answersWithout = (pk: RegExp, name: string): Plant => ({
  answer: eachRead((found) =>
    found.map((item) => {
      const { [name]: _, ...rest } = item;
      return pk.test(String(item.pk)) ? rest : item;
    }),
  ),
});

/** Never finds what is due of a kind. */
export const forgets = (kind: string): Plant => ({
  answer({ command, input }, reply) {
    const partition = String(Object(input).ExpressionAttributeValues?.[':partition']);
    return command === 'QueryCommand' && partition.startsWith(kind) ? { Items: [] } : reply;
  },
});
