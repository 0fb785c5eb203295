// Counts the functions' use of AWS: requests by function and operation, and DynamoDB's capacity units.
import { isObject, type JsonObject, listAt, parseObject } from '../../../lib/local/json-values.ts';
import type { Guard } from './observed-services.ts';

/** Totals since the last reset. */
interface Tally {
  /** By `<function> <service>:<operation>`. */
  calls: Record<string, number>;
  read_units: number;
  read_units_by_function: Record<string, number>;
  write_units: number;
}

export interface Usage {
  guard: Guard;
  tally(): Tally;
  reset(): void;
}

const READS = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem']);
const METERED = new Set([
  ...READS,
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

/** Starts at zero. Adds the consumed capacity to each DynamoDB request; callers ignore it in the reply. */
export function createUsage(): Usage {
  const none = (): Tally => ({ calls: {}, read_units: 0, read_units_by_function: {}, write_units: 0 });
  let tally = none();
  return {
    tally: () => structuredClone(tally),
    reset: () => {
      tally = none();
    },
    async guard(request, forward) {
      const name = `${request.caller} ${request.service}:${request.operation}`;
      tally.calls[name] = (tally.calls[name] ?? 0) + 1;
      if (request.service !== 'dynamodb' || !METERED.has(request.operation)) return forward(request);
      const input = { ...request.input, ReturnConsumedCapacity: 'TOTAL' };
      const reply = await forward({ ...request, input });
      const units = reply.status === 200 ? unitsOf(parseObject(reply.body.toString(), request.operation)) : 0;
      if (READS.has(request.operation)) {
        tally.read_units += units;
        tally.read_units_by_function[request.caller] =
          (tally.read_units_by_function[request.caller] ?? 0) + units;
      } else tally.write_units += units;
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
