// What goes wrong between the code and AWS, in one place: calls that fail, whose replies are lost or that come twice, and processes that die.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ProvisionedThroughputExceededException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { canceled } from './memory-table/memory-table.ts';

/**
 * `throttle`, `conflict`, `timeout`: the call has no effect and fails. `lost`: it takes effect, the caller gets an error. `duplicate`: it
 * takes effect twice and the second reply counts, as when the SDK repeats a call whose reply was lost. `crash_before`, `crash_after`: the
 * process dies at the call.
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

/** A call to a service of AWS, by the name of its command. */
export interface AwsCall {
  service: 'table' | 'states' | 'queue' | 'keys';
  command: string;
  input: object;
}

/** Which fault a call meets; undefined: none. */
export type Weather = (call: AwsCall) => FaultKind | undefined;

/** What stands for the end of a process. It looks like trouble of the store, so that nobody takes it for a failed step. */
class Crash extends Error {
  readonly $metadata = {};
  constructor() {
    super('the process died');
    this.name = 'Crash';
  }
}

/** A call that never got its reply. */
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
  weather: Weather;
  /** The workspace that it works for; absent where it works for all. */
  tenant?: string | undefined;
}

const processes = new AsyncLocalStorage<Process & { dead: boolean }>();
const metadata = { $metadata: {} };
const writes = ['PutCommand', 'UpdateCommand', 'DeleteCommand', 'TransactWriteCommand'];

/** The kinds that a call can meet: only writes conflict, and a repeated transaction is known by its token. */
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

/** Carries out a call as the weather of its process has it. Outside of any process nothing goes wrong. */
export async function exposed<T>(call: AwsCall, carryOut: () => Promise<T>): Promise<T> {
  const process = processes.getStore();
  if (!process) return carryOut();
  if (process.dead) throw new Crash();
  const fault = process.weather(call);
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

/** True once the process that asks has died: whatever it still does is done by nobody. */
export function isDead(): boolean {
  return processes.getStore()?.dead === true;
}

/** The process that asks; undefined outside of any. */
export function currentProcess(): Process | undefined {
  return processes.getStore();
}

/** Carries out work in a process that may die; tells whether it did. Other errors are thrown as they are. */
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

/** Weather in which a process dies at its n-th call (from 1; 0: never), before or after the call takes effect. */
export function deathAt(n: number, afterEffect: boolean): Weather {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls !== n) return undefined;
    return afterEffect ? 'crash_after' : 'crash_before';
  };
}
