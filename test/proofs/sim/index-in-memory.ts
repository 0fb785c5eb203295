// Stands in for the records server in simulations: it answers from the table, without files and threads.
import type { RecordAnswer, RecordQuestion } from '#domain/records/records-protocol.ts';
import { entityOf } from '#store/records/entity-items.ts';
import { queryAll } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';

const nothing: Record<string, unknown> = {
  outline: { types: [] },
  mentionedValues: [],
  mentionedRecords: [],
  linksOf: { links: [], matched: 0 },
  findLinks: { links: [], matched: 0 },
  nearest: [],
  // No simulation compares groups.
  group: { rows: [], matched: 0 },
};

/** As the real one, for the operations that plans without conditions need. */
export async function askServer({ workspace_ids, operation }: RecordQuestion): Promise<RecordAnswer> {
  const [workspaceId = ''] = workspace_ids;
  const output = await outputOf(workspaceId, operation);
  return { outcome: 'read', output, used: { ms: 0, pairs: 0 }, freshness: {} };
}

async function outputOf(workspaceId: string, operation: string): Promise<unknown> {
  const found = (await queryAll(keys.entities(workspaceId))).map(entityOf);
  if (operation === 'types') return [...new Set(found.map(({ type }) => type))];
  if (operation === 'find')
    return {
      hits: found.map((one) => ({ id: one.id, body: JSON.stringify(one), score: 0, keys: [one.id] })),
      matched: found.length,
    };
  if (!(operation in nothing)) throw new Error(`no simulation needs ${operation}`);
  return nothing[operation];
}
