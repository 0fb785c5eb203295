// Asks the offline model a question over records in an index, as the service does, and judges the answer.
import type { FieldSort, Measure, Where } from '#contract/conditions.ts';
import { groupName, measureOf } from '#contract/groups.ts';
import type { SortKey } from '#contract/record-queries.ts';
import { inAllNumbers } from '#domain/planning/known-workspace.ts';
import { plan } from '#models/offline/plan.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';
import type { KnownWorkspace } from '#models/tasks/task.ts';
import { applyChanges } from '#record-index/apply.ts';
import { groupRecords } from '#record-index/groups.ts';
import { operations } from '#record-index/operations.ts';
import { openFile } from '#record-index/schema.ts';
import type { Row, Truth } from './truth.ts';

/** The day of every question. */
const TODAY = '2026-06-15';

export type Outcome = 'right' | 'honest' | 'wrong';

export interface Answer {
  /** Words that were not understood; null when the query was refused. */
  words: string[] | null;
  found: Found | null;
  params: unknown;
  understanding_ms: number;
}

type Found =
  | { kind: 'records'; names: string[] }
  | { kind: 'groups'; groups: { values: SortKey[]; measures: SortKey[] }[]; grouped: boolean };

interface Params {
  entity_types?: string[];
  where?: Where;
  sort?: FieldSort[];
  limit?: number;
  group_by?: string[];
  measures?: Measure[];
  entities?: { id: string }[];
}

/** An index of the rows, and what answers questions over it. */
export function indexOf(rows: readonly Row[]): (query: string) => Answer {
  const database = openFile(':memory:');
  const all = rows.map(({ type, name, fields }, i) => ({
    ...{
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      workspace_id: 'w',
      type,
      name,
      fields,
    },
    ...{ created_at: 1, updated_at: 1 },
  }));
  const records = all.map((entity) => ({ entity, vector: undefined }));
  applyChanges(database, { records, relationships: [], gone_records: [], gone_relationships: [] });
  const byId = new Map(all.map((entity) => [entity.id, entity]));

  function known(query: string): KnownWorkspace {
    const named = operations.mentionedRecords(database, { text: query, limit: 20 });
    return {
      shape: operations.outline(database),
      values: operations.mentionedValues(database, { text: inAllNumbers(query), limit: 50 }),
      candidates: named
        .flatMap(({ id }) => byId.get(id) ?? [])
        .map(({ id, type, name, fields }) => ({ id, type, name, fields })),
      today: TODAY,
    };
  }

  function found(params: Params): Found {
    const { entity_types, where, sort, limit = 100, group_by, measures, entities } = params;
    if (entities) return { kind: 'records', names: entities.flatMap(({ id }) => byId.get(id)?.name ?? []) };
    const selection = { types: entity_types ?? null, where };
    if (!group_by && !measures) {
      const { hits } = operations.find(database, { ...selection, sort: sort ?? 'relevance', limit });
      return { kind: 'records', names: hits.flatMap(({ id }) => byId.get(id)?.name ?? []) };
    }
    const made = { group_by: group_by ?? [], measures: measures ?? [{ as: 'count', op: 'count' as const }] };
    const { rows: groups } = groupRecords([database], { ...selection, ...made, sort, limit });
    const measured = groups.map(({ values, measures: parts }) => ({
      values,
      measures: made.measures.map(({ op }, k) => measureOf(op, parts[k])),
    }));
    return { kind: 'groups', groups: measured, grouped: made.group_by.length > 0 };
  }

  return (query) => {
    const begun = performance.now();
    const asked = { query, ...known(query) };
    const verdict = understand({ ...asked, strict_mode: true }, readTriggers('').triggers);
    const understanding_ms = performance.now() - begun;
    if (verdict.verdict !== 'clear') return { words: null, found: null, params: verdict, understanding_ms };
    const [first] = plan({ ...asked, interpretation: verdict.interpretation }).steps;
    const params: Params = first?.params ?? {};
    return { words: verdict.not_understood, found: found(params), params, understanding_ms };
  };
}

/** Right; honest: it says what it did not understand, or is refused; or wrong without a word. */
export function judge({ words, found }: Answer, truth: Truth): Outcome {
  if (words === null || words.length > 0) return 'honest';
  return truth !== null && found !== null && isTrue(found, truth) ? 'right' : 'wrong';
}

const near = (a: unknown, b: number) =>
  typeof a === 'number' && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

function isTrue(found: Found, truth: NonNullable<Truth>): boolean {
  if (found.kind === 'records')
    return truth.kind === 'records' && areSame(found.names, truth.names, truth.inOrder);
  if (truth.kind === 'number') {
    // A number of different values is the number of their groups.
    if (found.grouped) return found.groups.length === truth.number;
    return found.groups[0]?.measures.some((measure) => near(measure ?? 0, truth.number)) === true;
  }
  const names = found.groups.map(({ values }) => groupName(values));
  if (truth.kind === 'values') return areSame(names, truth.names, false);
  if (truth.kind !== 'groups') return false;
  const expected = truth.groups.map(([name]) => name);
  const numbers = new Map(truth.groups);
  const exact = found.groups.every(({ measures }, i) =>
    measures.some((measure) => near(measure ?? 0, numbers.get(names[i] ?? '') ?? Number.NaN)),
  );
  return exact && areSame(names, expected, truth.inOrder);
}

const areSame = (left: string[], right: string[], inOrder: boolean): boolean =>
  JSON.stringify(inOrder ? left : left.toSorted()) === JSON.stringify(inOrder ? right : right.toSorted());
