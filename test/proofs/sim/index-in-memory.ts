// Stands in for the index of records in simulations: it answers from the table, without files and threads.
import type { FoundGroups } from '#contract/record-queries.ts';
import { entityOf } from '#store/records/entities.ts';
import { queryAll } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';

const nothing: Record<string, unknown> = {
  outline: { types: [] },
  mentionedValues: [],
  mentionedRecords: [],
  linksOf: { links: [], matched: 0 },
  findLinks: { links: [], matched: 0 },
  nearest: [],
};

/** The groups of no records: no simulation compares them. */
export const groupRecords = async (): Promise<FoundGroups> => ({ rows: [], matched: 0 });

/** As the real one, for the operations that plans without conditions need. */
export function openRecords(workspaceId: string): (operation: string) => Promise<unknown> {
  return async (operation) => {
    const found = (await queryAll(keys.entities(workspaceId))).map(entityOf);
    if (operation === 'types') return [...new Set(found.map(({ type }) => type))];
    if (operation === 'find')
      return {
        hits: found.map((one) => ({ id: one.id, body: JSON.stringify(one), score: 0, keys: [one.id] })),
        matched: found.length,
      };
    if (!(operation in nothing)) throw new Error(`no simulation needs ${operation}`);
    return nothing[operation];
  };
}
