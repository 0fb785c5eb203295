// Writing many records: one transaction after the other, each of whole records.
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { describe, log } from '#platform/log.ts';
import { transact, type Write } from '#store/table.ts';

const MAX_ACTIONS = 100;
/** A transaction carries 4 MB at most; what a record takes beyond its JSON fits in the rest. */
const MAX_BYTES = 2_500_000;

/** One record: what is written for it. */
export interface Unit {
  writes: Write[];
  bytes: number;
}

/** Writes the records in order; of none is only a part written. Throws AdminError `import_interrupted`, which tells how many are in. */
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

/** The units in order, as full as one transaction takes. */
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
