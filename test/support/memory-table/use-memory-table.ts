// Puts a table in memory, exposed to faults, below this process's store.
import { table } from '#store/table/table.ts';
import { deliveryIndex } from '#store/table/table-keys.ts';
import { type AwsCall, exposed } from '../faults.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';

type Send = (command: { input: object }) => Promise<object>;

/** Applies the faults of the current process to every table call before `carryOut` performs it. */
function intercept(carryOut: (call: AwsCall) => Promise<object>): void {
  const value: Send = (command) => {
    const call = { service: 'table', command: command.constructor.name, input: command.input } as const;
    return exposed(call, () => carryOut(call));
  };
  Object.defineProperty(table, 'send', { configurable: true, value });
}

/** Wraps a call that the in-memory table performs. */
export type Around = (call: AwsCall, perform: (input: object) => object) => Promise<object>;

let inUse: MemoryTable | undefined;

/** Lets the store of this process work on an empty table in memory, exposed to faults; the one before is closed. */
export function useMemoryTable(around: Around = async ({ input }, perform) => perform(input)): MemoryTable {
  Object.assign(process.env, { TABLE_NAME: 'Table', AWS_REGION: 'us-east-1' });
  inUse?.close();
  const memory = memoryTable([{ name: 'due', pk: 'due_pk', sk: 'due_at' }, deliveryIndex]);
  inUse = memory;
  intercept((call) => around(call, (input) => memory.perform(call.command, input)));
  return memory;
}
