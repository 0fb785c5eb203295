// Unfinished imports of files, by the digest of the file.
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { expiryOf } from '../table/expiry.ts';
import { table, tableName } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const Stored = z.object({ import_id: z.string() });

/** Id of the unfinished import of the file; `newId` becomes it if there is none. */
export async function start(workspaceId: string, fileSha256: string, newId: string): Promise<string> {
  const { Attributes } = await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.fileImport(workspaceId, fileSha256),
      UpdateExpression: 'SET import_id = if_not_exists(import_id, :new), expires_at_seconds = :expiry',
      ExpressionAttributeValues: {
        ':new': newId,
        ':expiry': expiryOf('file_import', Date.now()).expires_at_seconds,
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return Stored.parse(Attributes).import_id;
}

/** Forgets the import and returns its id; undefined if that is done. Safe to repeat. */
export async function end(workspaceId: string, fileSha256: string): Promise<string | undefined> {
  const Key = keys.fileImport(workspaceId, fileSha256);
  const { Attributes } = await table.send(
    new DeleteCommand({ TableName: tableName(), Key, ReturnValues: 'ALL_OLD' }),
  );
  return Attributes && Stored.parse(Attributes).import_id;
}
