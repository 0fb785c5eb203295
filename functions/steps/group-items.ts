// Groups of records as items (rules.md: records 7).
import { fieldOfGroup, type GroupField, type Measure } from '#contract/conditions.ts';
import { groupName, measureOf } from '#contract/record-groups.ts';
import type { GroupRow } from '#contract/record-queries.ts';
import { fingerprint, uuidFrom } from '#platform/crypto.ts';
import type { Item } from './step.ts';

/** How records are grouped. `asked`: everything else that the groups depend on, as part of their identity. */
export interface Grouping {
  group_by: GroupField[];
  measures: Measure[];
  asked: unknown;
}

/** The items of groups. */
export function groupItems(rows: GroupRow[], grouping: Grouping): Item[] {
  const made = fingerprint(grouping);
  return rows.map((row) => groupItem(row, grouping, made));
}

function groupItem(
  { values, measures: parts }: GroupRow,
  { group_by, measures }: Grouping,
  made: string,
): Item {
  const named = [
    ...group_by.map((grouped, i) => [fieldOfGroup(grouped), values[i] ?? null] as const),
    ...measures.map(({ as, op }, i) => [as, measureOf(op, parts[i])] as const),
  ];
  const fields = Object.fromEntries(named.filter(([, value]) => value !== null));
  const id = uuidFrom(Buffer.from(fingerprint({ made, values }), 'hex'));
  return { id, kind: 'group', type: 'group', name: groupName(values), fields };
}
