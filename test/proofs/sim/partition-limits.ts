// What DynamoDB gives a partition, and which partitions of a stack get how much of it.
import type { AwsCall } from '../../support/faults.ts';

/** What a partition gets, of a table and of an index. */
export const WRITES_A_SECOND = 1000;
export const READS_A_SECOND = 3000;
/** What a call of DynamoDB, SQS or Step Functions takes within a region. */
export const CALL_MS = 6;

/** Units a second by partition, the hottest first. */
export type Rates = [partition: string, units: number][];

/** The call as it would be if each kind had one partition of the index. */
export function withOnePartition({ input, ...call }: AwsCall): AwsCall {
  return { ...call, input: Object(inOnePartition(input)) };
}

function inOnePartition(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^(RUN|DELIVERY|SLOTS|RECORDS|MONITOR)#\d$/, '$1');
  if (Array.isArray(value)) return value.map(inOnePartition);
  const plain = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  return plain
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inOnePartition(member)]))
    : value;
}

const SHOWN = 3;
const told = ([name, rate]: [string, number]) => `${rate} ${name}`;

/** The hottest partitions of the table, and of the index. */
export function hottest(rates: Rates): string[] {
  return ['table', 'due'].flatMap((of) =>
    rates
      .filter(([name]) => name.startsWith(of))
      .slice(0, SHOWN)
      .map(told),
  );
}

/** The partitions that get more than they are given. */
export const beyond = ({ writes, reads }: { writes: Rates; reads: Rates }): string[] => [
  ...over(writes, WRITES_A_SECOND, 'writes'),
  ...over(reads, READS_A_SECOND, 'reads'),
];

const over = (rates: Rates, most: number, what: string) =>
  rates.filter(([, rate]) => rate > most).map((one) => `more than ${most} ${what} a second: ${told(one)}`);
