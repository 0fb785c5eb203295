// Groups of records as items (rules.md: records 7).
import type { Measure } from '#contract/conditions.ts';
import { groupName, measureOf } from '#contract/groups.ts';
import type { GroupRow } from '#contract/record-queries.ts';
import { fingerprint, uuidFrom } from '#platform/crypto.ts';
import type { Item } from './step.ts';

/** How records are grouped; `asked` holds whatever else the groups depend on, so that groups of different steps are different items. */
export interface Grouping {
  group_by: string[];
  measures: Measure[];
  asked: unknown;
}

/** The item of a group. */
export function groupItem(
  { values, measures: parts }: GroupRow,
  { group_by, measures, asked }: Grouping,
): Item {
  const named = [
    ...group_by.map((field, i) => [field, values[i] ?? null] as const),
    ...measures.map(({ as, op }, i) => [as, measureOf(op, parts[i])] as const),
  ];
  const fields = Object.fromEntries(named.filter(([, value]) => value !== null));
  const id = uuidFrom(Buffer.from(fingerprint({ asked, group_by, measures, values }), 'hex'));
  return { id, kind: 'group', type: 'group', name: groupName(values), fields };
}
