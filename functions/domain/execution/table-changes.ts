// How a table differs from an earlier one (rules.md: monitors 9).

import type * as z from 'zod';
import type { TableRow } from '#contract/artifacts.ts';
import type { Json } from '#contract/json.ts';
import type { ChangeCounts } from '#contract/monitors.ts';
import { canonicalJson, isSameJson } from '#platform/crypto.ts';
import { soleLink } from '#platform/markdown.ts';

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

/**
 * The changes from one table to the next, in the order of the rows: those of the next one, then what was removed. Rows
 * are compared by their record; those without one, such as groups, only as a whole.
 */
export function tableChanges(before: Row[], after: Row[]): { rows: ChangeRow[]; counts: ChangeCounts } {
  const earlier = byIdentity(before);
  const later = byIdentity(after);
  const changed = [...later].map(([identity, row]) => {
    const old = earlier.get(identity);
    return old ? changedFields(old, row) : [whole('added', row)];
  });
  const removed = [...earlier].flatMap(([identity, row]) =>
    later.has(identity) ? [] : [whole('removed', row)],
  );
  const count = (change: ChangeRow['change']) => changed.filter(([first]) => first?.change === change).length;
  return {
    rows: [...changed.flat(), ...removed],
    counts: { added: count('added'), removed: removed.length, changed: count('changed') },
  };
}

/** Rows by what they are about. A table may have several of a record: the n-th is compared with the n-th. */
function byIdentity(rows: Row[]): Map<string, Row> {
  const found = new Map<string, Row>();
  const times = new Map<string, number>();
  for (const row of rows) {
    const identity = identityOf(row);
    const n = times.get(identity) ?? 0;
    times.set(identity, n + 1);
    found.set(`${n} ${identity}`, row);
  }
  return found;
}

function identityOf(row: Row): string {
  const link = typeof row.name === 'string' ? soleLink(row.name) : undefined;
  return link ? `${link.kind}=${link.id}` : canonicalJson(row);
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
