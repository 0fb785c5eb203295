// Claims of names: of two writers that give a name to different records at the same time, one fails. A claim says which
// record last got the name; whether it still has it, the record says.
import * as z from 'zod';
import { expiryOf, FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { getItems, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const Stored = z.object({ pk: z.string(), id: z.string() });

/** The records that last got these names, by name. Read them before the holders of the names. */
export async function read(workspaceId: string, names: string[]): Promise<Map<string, string>> {
  const byKey = new Map(names.map((name) => [keys.nameClaim(workspaceId, name).pk, name]));
  const items = await getItems([...byKey.values()].map((name) => keys.nameClaim(workspaceId, name)));
  return new Map(items.map((item) => Stored.parse(item)).map(({ pk, id }) => [byKey.get(pk) ?? '', id]));
}

/** Write that claims a name for a record; its condition fails if another record has got it since `seen` was read. */
export function claimWrite(workspaceId: string, name: string, id: string, seen: string | undefined): Write {
  const now = Date.now();
  return {
    Put: {
      TableName: tableName(),
      Item: { ...keys.nameClaim(workspaceId, name), id, ...expiryOf('name_claim', now) },
      ConditionExpression: `${FREE_KEY} OR id = :id OR id = :seen`,
      ExpressionAttributeValues: { ...freeKeyValues(now), ':id': id, ':seen': seen ?? id },
    },
  };
}
