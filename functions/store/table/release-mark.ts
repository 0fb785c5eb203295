// Which release wrote the table. Every release reads this item, so its form never changes (rules.md: versions 3).
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { getItem, table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

const Mark = z.object({ version: z.string() });

/** The release that wrote the table last; undefined where none has said so. Throws ZodError for a damaged item. */
export async function writerOfTable(): Promise<string | undefined> {
  const item = await getItem(keys.release);
  return item && Mark.parse(item).version;
}

/** Writes that this release uses the table. */
export async function markTable(version: string): Promise<void> {
  await table.send(new PutCommand({ TableName: tableName(), Item: { ...keys.release, version } }));
}
