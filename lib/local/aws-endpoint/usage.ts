// Counts what the functions ask of AWS: calls by function and operation, and the capacity units that DynamoDB reports.

import { isObject, type JsonObject, listAt, parseObject } from '../json-values.ts';
import type { Guard } from './endpoint-server.ts';

/** Totals since the last reset. */
export interface Tally {
  /** By `<function> <service>:<operation>`. */
  calls: Record<string, number>;
  read_units: number;
  write_units: number;
}

export interface Usage {
  guard: Guard;
  tally(): Tally;
  reset(): void;
}

const READS = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']);
const METERED = new Set([
  ...READS,
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/** A meter at zero. It asks DynamoDB for the consumed capacity of each call, which callers may ignore. */
export function createUsage(): Usage {
  let tally: Tally = { calls: {}, read_units: 0, write_units: 0 };
  return {
    tally: () => ({ ...tally, calls: { ...tally.calls } }),
    reset: () => {
      tally = { calls: {}, read_units: 0, write_units: 0 };
    },
    async guard(call, forward) {
      const name = `${call.caller} ${call.service}:${call.operation}`;
      tally.calls[name] = (tally.calls[name] ?? 0) + 1;
      if (call.service !== 'dynamodb' || !METERED.has(call.operation)) return forward(call);
      const input = { ...call.input, ReturnConsumedCapacity: 'TOTAL' };
      const reply = await forward({ ...call, input, body: Buffer.from(JSON.stringify(input)) });
      const units = reply.status === 200 ? unitsOf(parseObject(reply.body.toString(), call.operation)) : 0;
      if (READS.has(call.operation)) tally.read_units += units;
      else tally.write_units += units;
      return reply;
    },
  };
}

function unitsOf(output: JsonObject): number {
  const consumed = isObject(output.ConsumedCapacity)
    ? [output.ConsumedCapacity]
    : listAt(output.ConsumedCapacity, 'ConsumedCapacity');
  return consumed.reduce<number>(
    (sum, one) => sum + (isObject(one) && typeof one.CapacityUnits === 'number' ? one.CapacityUnits : 0),
    0,
  );
}
