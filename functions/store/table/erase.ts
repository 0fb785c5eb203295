// Everything in the table that belongs to one workspace. Found by a scan, because some keys are hashes that no other
// item names.
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/chunks.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { backOff, Key, MAX_ATTEMPTS, table, tableName } from './table.ts';
import { keys } from './table-keys.ts';

/** One page of the scan: items of the workspace, and all bridges, some of which may serve it. */
export interface Found {
  own: Key[];
  bridges: string[];
  /** Where the next page begins; undefined at the end of the table. */
  next: Key | undefined;
}

/** Scans a page (1 MB) of the whole table, from after `after`. Leaves out the item of the workspace itself. */
export async function findItems(workspaceId: string, after: Key | undefined): Promise<Found> {
  const own = keys.workspace(workspaceId);
  const bridgePrefix = keys.bridge('').pk;
  const page = await table.send(
    new ScanCommand({
      TableName: tableName(),
      FilterExpression:
        'begins_with(pk, :own) OR begins_with(pk, :bridge) OR (begins_with(pk, :bearer) AND workspace_id = :id)',
      ExpressionAttributeValues: {
        ':own': own.pk,
        ':bridge': bridgePrefix,
        ':bearer': keys.bearer('').pk,
        ':id': workspaceId,
      },
      ProjectionExpression: 'pk, sk',
      ConsistentRead: true,
      ExclusiveStartKey: after,
    }),
  );
  const found = (page.Items ?? []).map((item) => Key.parse(item));
  const isBridge = ({ pk }: Key) => pk.startsWith(bridgePrefix);
  return {
    own: found.filter((key) => !isBridge(key) && !(key.pk === own.pk && key.sk === own.sk)),
    bridges: found.filter(isBridge).map(({ pk }) => pk.slice(bridgePrefix.length)),
    next: page.LastEvaluatedKey && Key.parse(page.LastEvaluatedKey),
  };
}

const BATCH_WRITE_MAX = 25;

/** Deletes items. Safe to repeat. Throws ServiceTrouble if the table keeps leaving some undeleted. */
export async function deleteItems(unwanted: Key[]): Promise<void> {
  for (const some of chunks(unwanted, BATCH_WRITE_MAX)) {
    let left = some.map((key) => ({ DeleteRequest: { Key: key } }));
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const { UnprocessedItems } = await table.send(
        new BatchWriteCommand({ RequestItems: { [tableName()]: left } }),
      );
      left = (UnprocessedItems?.[tableName()] ?? []).flatMap(({ DeleteRequest }) =>
        DeleteRequest?.Key ? [{ DeleteRequest: { Key: Key.parse(DeleteRequest.Key) } }] : [],
      );
      if (left.length === 0) break;
      if (attempt === MAX_ATTEMPTS) throw new ServiceTrouble('the table leaves items undeleted');
      await backOff(attempt);
    }
  }
}
