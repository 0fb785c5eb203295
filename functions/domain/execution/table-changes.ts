// How a table differs from an earlier one (rules.md: monitors 9, jobs 16).

import type * as z from 'zod';
import type { TableRow } from '#contract/artifacts.ts';
import type { Json } from '#contract/json.ts';
import type { ChangeCounts } from '#contract/monitors.ts';
import { canonicalJson, isSameJson, sha256Hex } from '#platform/crypto.ts';
import { onlyLink } from '#platform/linked-markdown.ts';

export type Row = z.infer<typeof TableRow>;

/** A row of the table of changes. */
export interface ChangeRow extends Row {
  change: 'added' | 'removed' | 'changed';
  /** The name of the record, as in its row. */
  record: Json;
  /** Null for a record that was added or removed. */
  field: string | null;
  before: Json;
  after: Json;
}

/** A row, and the id of its item of a source, if it is of one. */
interface RowOfItem {
  row: Row;
  item_id?: string | null | undefined;
}

/** The rows of a table, in groups; it may be read several times. */
export type Rows = () => AsyncIterable<RowOfItem[]>;

/** A row of the earlier table, of which only a hash stays in memory. */
interface Earlier {
  hash: string;
  remains: boolean;
  /** Where the changes go of a row that the next table has with other values. */
  changed?: { to: Row; changes: ChangeRow[] } | undefined;
}

/**
 * The changes from one table to the next, in the order of the rows: those of the next one, then what was removed. Rows
 * are compared by their record, or by their item of a source; those without one, such as groups, only as a whole.
 * Neither table is in memory as a whole: the earlier one is read twice.
 */
export async function tableChanges(
  before: Rows,
  after: Rows,
): Promise<{ rows: ChangeRow[]; counts: ChangeCounts }> {
  const earlier = new Map<string, Earlier>();
  for await (const { identity, row } of identified(before))
    earlier.set(identity, { hash: hashOf(row), remains: false });
  const later: ChangeRow[][] = [];
  for await (const { identity, row } of identified(after)) {
    const old = earlier.get(identity);
    if (old) old.remains = true;
    if (old?.hash === hashOf(row)) continue;
    const changes = old ? [] : [whole('added', row)];
    later.push(changes);
    if (old) old.changed = { to: row, changes };
  }
  const removed: ChangeRow[] = [];
  for await (const { identity, row } of identified(before)) {
    const { remains, changed } = earlier.get(identity) ?? { remains: true };
    if (!remains) removed.push(whole('removed', row));
    changed?.changes.push(...changedFields(row, changed.to));
  }
  const count = (change: ChangeRow['change']) => later.filter(([first]) => first?.change === change).length;
  return {
    rows: [...later.flat(), ...removed],
    counts: { added: count('added'), removed: removed.length, changed: count('changed') },
  };
}

/** Rows with what they are about. A table may have several of a record: the n-th is compared with the n-th. */
async function* identified(rows: Rows): AsyncGenerator<{ identity: string; row: Row }> {
  const times = new Map<string, number>();
  for await (const group of rows()) {
    for (const { row, item_id } of group) {
      const identity = identityOf(row, item_id);
      const n = times.get(identity) ?? 0;
      times.set(identity, n + 1);
      yield { identity: `${n} ${identity}`, row };
    }
  }
}

const hashOf = (row: Row): string => sha256Hex(canonicalJson(row));

function identityOf(row: Row, item_id: RowOfItem['item_id']): string {
  const link = typeof row.name === 'string' ? onlyLink(row.name) : undefined;
  if (link) return `${link.kind}=${link.id}`;
  return item_id ? `item=${item_id}` : hashOf(row);
}

function whole(change: 'added' | 'removed', row: Row): ChangeRow {
  return { change, record: nameOf(row), field: null, before: null, after: null };
}

const nameOf = (row: Row): Json => row.name ?? null;

/** A field that one of the rows lacks is null there. */
function changedFields(before: Row, after: Row): ChangeRow[] {
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].flatMap((field) => {
    const [old, now] = [before[field] ?? null, after[field] ?? null];
    if (isSameJson(old, now)) return [];
    return [{ change: 'changed' as const, record: nameOf(after), field, before: old, after: now }];
  });
}
