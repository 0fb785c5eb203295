// Writes many records in consecutive transactions of whole records.
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { describe, log } from '#platform/log.ts';
import { transact, type Write } from '#store/table.ts';

const MAX_ACTIONS = 100;
/** A transaction carries at most 4 MB; the rest is for what a record takes beyond its JSON. */
const MAX_BYTES = 2_500_000;

/** The writes of one record. */
export interface Unit {
  writes: Write[];
  bytes: number;
}

/** Writes the records in order, each whole or not at all. Throws AdminError `import_interrupted` with the number of written records. */
export async function writeInOrder(units: Unit[]): Promise<void> {
  let done = 0;
  for (const group of groups(units)) {
    try {
      await transact(group.flatMap((unit) => unit.writes));
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
