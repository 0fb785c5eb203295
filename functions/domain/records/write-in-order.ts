// Writes many records in consecutive transactions of whole records.
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { describe, log } from '#platform/log.ts';
import { transactRecords } from '#store/changes.ts';
import type { Write } from '#store/table.ts';

/** A transaction carries 100 actions; one of them is the entry of the change log. */
const MAX_ACTIONS = 99;
/** A transaction carries at most 4 MB; the rest is for what a record takes beyond its JSON. */
const MAX_BYTES = 2_500_000;

/** The writes of one record or relationship. */
export interface Unit {
  id: string;
  writes: Write[];
  bytes: number;
}

/** Writes the records in order, each whole or not at all. Throws AdminError `import_interrupted` with the number of written records. */
export async function writeInOrder(
  workspaceId: string,
  kind: 'records' | 'relationships',
  units: Unit[],
): Promise<void> {
  let done = 0;
  for (const group of groups(units)) {
    try {
      const changed = { [kind]: group.map(({ id }) => id) };
      await transactRecords(
        workspaceId,
        changed,
        group.flatMap((unit) => unit.writes),
      );
    } catch (error) {
      log.error('import interrupted', { error: describe(error) });
      throw new AdminError(
        'import_interrupted',
        `Of these ${units.length} records the first ${done} were written, then the table refused.`,
      );
    }
    done += group.length;
  }
}

/** Groups the units in order, as many as one transaction takes. */
export function groups(units: Unit[]): Unit[][] {
  const all: Unit[][] = [];
  let actions = 0;
  let bytes = 0;
  for (const unit of units) {
    actions += unit.writes.length;
    bytes += unit.bytes;
    const last = all.at(-1);
    if (last && actions <= MAX_ACTIONS && bytes <= MAX_BYTES) {
      last.push(unit);
      continue;
    }
    all.push([unit]);
    actions = unit.writes.length;
    bytes = unit.bytes;
  }
  return all;
}
