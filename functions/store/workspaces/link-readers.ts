// The readers of a link: each has one of a number of seats, an item that expires when its reading must have ended.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '#platform/ids.ts';
import { FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { type Key, queryAll, table, tableName, takesEffect } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** A seat that a reader has taken. */
export interface Seat {
  key: Key;
  taken_by: string;
}

/**
 * Takes one of `seats` until `untilMs` at the latest; undefined if all are taken. Two readers never have the same one,
 * so there are never more readers than seats. A process that dies before it leaves its seat leaves it to the expiry.
 */
export async function take(
  workspaceId: string,
  link: string,
  seats: number,
  untilMs: number,
): Promise<Seat | undefined> {
  for (let attempt = 0; attempt < seats; attempt += 1) {
    const free = await freeSeats(workspaceId, link, seats);
    // Those who come at once do not all try the same seat.
    const key = free[Math.floor(Math.random() * free.length)];
    if (!key) return undefined;
    const seat = { key, taken_by: newId() };
    if (await takesEffect(table.send(new PutCommand(putOf(seat, untilMs))))) return seat;
  }
  return undefined;
}

async function freeSeats(workspaceId: string, link: string, seats: number): Promise<Key[]> {
  const taken = new Set((await queryAll(keys.linkReaders(workspaceId, link), '', 'sk')).map(({ sk }) => sk));
  const all = Array.from({ length: seats }, (_, i) => keys.linkReader(workspaceId, link, i));
  return all.filter(({ sk }) => !taken.has(sk));
}

const putOf = ({ key, taken_by }: Seat, untilMs: number) => ({
  TableName: tableName(),
  Item: { ...key, taken_by, expires_at_seconds: Math.ceil(untilMs / 1000) },
  ConditionExpression: FREE_KEY,
  ExpressionAttributeValues: freeKeyValues(Date.now()),
});

/** Leaves a seat, unless it has expired and another reader has taken it. */
export async function leave({ key, taken_by }: Seat): Promise<void> {
  await takesEffect(
    table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: key,
        ConditionExpression: 'taken_by = :taken_by',
        ExpressionAttributeValues: { ':taken_by': taken_by },
      }),
    ),
  );
}
