// Writes many records in transactions of whole records, several at once.
import { throughTrouble } from '#platform/through-trouble.ts';
import { transactRecords } from '#store/records/changes.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { interruptedBy } from './import-waits.ts';

/** A transaction has at most 100 actions; two of them are the entry of the change log and its ids. */
const MAX_ACTIONS = 98;
/** A transaction has at most 4 MB; the rest is for what a record takes beyond its JSON. */
const MAX_BYTES = 2_500_000;
/** The next one is sent while the table writes one; more would only exceed the table's limits. */
const TRANSACTIONS_AT_ONCE = 2;

/** The writes of one record or relationship. */
export interface Unit {
  id: string;
  writes: Write[];
  bytes: number;
}

/** What was written: the names of the changes, and the ids of what was not, because others have changed something. */
export interface Written {
  applied: string[];
  refused: Set<string>;
}

/**
 * Writes the records, each whole or not at all, and waits for a busy table until `until` (epoch ms). Those of a
 * transaction with a failed condition are refused. Throws AdminError `import_interrupted` with the number of written
 * records; no transaction is in flight then.
 */
export async function writeRecords(
  workspaceId: string,
  kind: 'records' | 'relationships',
  units: Unit[],
  until: number,
): Promise<Written> {
  const due = groups(units).values();
  const applied: string[] = [];
  const refused = new Set<string>();
  let done = 0;
  let failure: unknown;
  async function writeOn(): Promise<void> {
    for (const group of due) {
      if (failure !== undefined) return;
      try {
        applied.push(await throughTrouble(() => writeGroup(workspaceId, kind, group), until));
        done += group.length;
      } catch (error) {
        if (error instanceof ConditionFailed) for (const { id } of group) refused.add(id);
        else failure ??= error;
      }
    }
  }
  await Promise.all(Array.from({ length: TRANSACTIONS_AT_ONCE }, writeOn));
  if (failure === undefined) return { applied, refused };
  throw interruptedBy(done, units.length, failure);
}

function writeGroup(workspaceId: string, kind: 'records' | 'relationships', group: Unit[]): Promise<string> {
  const changed = { [kind]: group.map(({ id }) => id) };
  return transactRecords(
    workspaceId,
    changed,
    group.flatMap(({ writes }) => writes),
  );
}

/** Groups the units in order, as many as fit into one transaction. */
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
