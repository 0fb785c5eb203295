// Faults between the code and AWS: calls that fail, lose their reply or repeat, and processes that die.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ProvisionedThroughputExceededException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { canceled } from './memory-table/memory-table.ts';

/**
 * `throttle`, `conflict`, `timeout`: the call fails without effect. `lost`: it takes effect, the caller gets an error.
 * `duplicate`: it takes effect twice and the second reply counts, as when the SDK repeats a call after a lost reply.
 * `crash_before`, `crash_after`: the process dies at the call.
 */
export const faultKinds = [
  'throttle',
  'conflict',
  'timeout',
  'lost',
  'duplicate',
  'crash_before',
  'crash_after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A call to an AWS service, by the name of its command. */
export interface AwsCall {
  service: 'table' | 'states' | 'queue' | 'keys';
  command: string;
  input: object;
}

/** The fault of a call; undefined: none. */
export type FaultPlan = (call: AwsCall) => FaultKind | undefined;

/** The end of a process. It looks like a store failure, so that nothing treats it as a failed step. */
export class Crash extends Error {
  readonly $metadata = {};
  constructor() {
    super('the process died');
    this.name = 'Crash';
  }
}

/** A call without a reply. */
class NoReply extends Error {
  readonly $metadata = {};
  constructor() {
    super('connection timed out');
    this.name = 'TimeoutError';
  }
}

/** One invocation of a function, or one request of a client. */
export interface Process {
  id: number;
  faultPlan: FaultPlan;
  /** The workspace that it works for; absent for all. */
  tenant?: string | undefined;
}

const processes = new AsyncLocalStorage<Process & { dead: boolean }>();
const metadata = { $metadata: {} };
const writes = ['PutCommand', 'UpdateCommand', 'DeleteCommand', 'TransactWriteCommand'];

/** The faults that a call can have: only writes conflict, and a repeated transaction is recognized by its token. */
export function kindsFor({ service, command }: AwsCall): FaultKind[] {
  const isWrite = service === 'table' && writes.includes(command);
  return faultKinds.filter(
    (kind) =>
      (kind !== 'conflict' || isWrite) && (kind !== 'duplicate' || command !== 'TransactWriteCommand'),
  );
}

function refusal(kind: FaultKind, { service, command, input }: AwsCall): Error {
  const actions = 'TransactItems' in input && Array.isArray(input.TransactItems) ? input.TransactItems : [];
  const isTransaction = command === 'TransactWriteCommand';
  const message = 'Rate exceeded';
  if (kind === 'conflict')
    return isTransaction
      ? canceled(actions.map(() => 'TransactionConflict'))
      : new TransactionConflictException({ message: 'Transaction is ongoing for the item', ...metadata });
  if (kind !== 'throttle' || service !== 'table') return new NoReply();
  return isTransaction
    ? canceled(actions.map(() => 'ThrottlingError'))
    : new ProvisionedThroughputExceededException({ message, ...metadata });
}

/** Performs a call under the faults of its process. Outside a process there are none. */
export async function exposed<T>(call: AwsCall, carryOut: () => Promise<T>): Promise<T> {
  const process = processes.getStore();
  if (!process) return carryOut();
  if (process.dead) throw new Crash();
  const fault = process.faultPlan(call);
  if (fault === 'crash_before') return die(process);
  if (fault === 'throttle' || fault === 'conflict' || fault === 'timeout') throw refusal(fault, call);
  const reply = await carryOut();
  if (fault === 'crash_after' || process.dead) return die(process);
  if (fault === 'lost') throw new NoReply();
  return fault === 'duplicate' ? carryOut() : reply;
}

function die(process: { dead: boolean }): never {
  process.dead = true;
  throw new Crash();
}

/** Whether the current process has died: anything it still does has no effect. */
export function isDead(): boolean {
  return processes.getStore()?.dead === true;
}

/** Tells whether the present process still lives; outside any: always. */
export function livingProcess(): () => boolean {
  const process = processes.getStore();
  return () => !process?.dead;
}

/** The current process; undefined outside any. */
export function currentProcess(): Process | undefined {
  return processes.getStore();
}

/** Runs work in a process that may die; returns whether it did. Rethrows other errors. */
export async function inProcess<T>(
  process: Process,
  work: () => Promise<T>,
): Promise<{ died: true } | { died: false; value: T }> {
  const state = { ...process, dead: false };
  try {
    const value = await processes.run(state, work);
    return state.dead ? { died: true } : { died: false, value };
  } catch (error) {
    if (state.dead) return { died: true };
    throw error;
  }
}

/** Faults under which a process dies at its n-th call (from 1; 0: never), before or after the call takes effect. */
export function deathAt(n: number, afterEffect: boolean): FaultPlan {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls !== n) return undefined;
    return afterEffect ? 'crash_after' : 'crash_before';
  };
}
