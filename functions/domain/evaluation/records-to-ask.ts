// Records in an index of their own: what a model is shown of them for a question, and what a fetch finds.
import type { DatabaseSync } from 'node:sqlite';
import type { FieldSort, GroupField, Measure, Where } from '#contract/conditions.ts';
import { measureOf } from '#contract/record-groups.ts';
import { inAllNumbers } from '#domain/planning/known-workspace.ts';
import type { AskRecords } from '#domain/records/records-client.ts';
import type { KnownWorkspace, ModelItem } from '#models/tasks/model-task.ts';
import { applyChanges } from '#record-index/apply.ts';
import { groupRecords } from '#record-index/group-records.ts';
import { type OperationName, type OperationOutput, operations } from '#record-index/index-operations.ts';
import { openFile } from '#record-index/schema.ts';
import type { Found, Row } from './truth.ts';

/** The day of every question. */
export const TODAY = '2026-06-15';

/** The params of a planned fetch. */
export interface FetchParams {
  entity_types?: string[];
  where?: Where;
  sort?: FieldSort[];
  limit?: number;
  group_by?: GroupField[];
  measures?: Measure[];
  entities?: { id: string }[];
}

export interface RecordsToAsk {
  known(query: string): KnownWorkspace;
  /** Asks a question of the index, as planning does. */
  ask: AskRecords;
  found(params: FetchParams): Found;
  /** The records of these names, as a model is shown them. */
  named(names: readonly string[]): ModelItem[];
}

/** The records as a model is shown them; an id follows from the position. */
export function modelItems(rows: readonly Row[]): ModelItem[] {
  return rows.map(({ type, name, fields }, i) => ({
    ...{ id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`, type, name, fields },
  }));
}

/** An index of the rows in memory. */
export function recordsToAsk(rows: readonly Row[]): RecordsToAsk {
  const database = openFile(':memory:');
  const all = modelItems(rows);
  const records = all.map((item) => ({
    entity: { ...item, workspace_id: 'w', created_at: 1, updated_at: 1 },
    vector: undefined,
  }));
  applyChanges(database, { records, relationships: [], gone_records: [], gone_relationships: [] });
  const byId = new Map(all.map((item) => [item.id, item]));
  const nameOf = ({ id }: { id: string }) => byId.get(id)?.name ?? [];

  return {
    known: (query) => ({
      shape: operations.outline(database),
      values: operations.mentionedValues(database, { text: inAllNumbers(query), limit: 50 }),
      candidates: operations
        .mentionedRecords(database, { text: query, limit: 20 })
        .flatMap(({ id }) => byId.get(id) ?? []),
      today: TODAY,
    }),
    ask: async (operation, ...[input]) => answerOf(database, operation, input),
    found({ entity_types, where, sort, limit = 100, group_by, measures, entities }) {
      if (entities) return { kind: 'records', names: entities.flatMap(nameOf) };
      const selection = { types: entity_types ?? null, where };
      if (!group_by && !measures) {
        const { hits } = operations.find(database, { ...selection, sort: sort ?? 'relevance', limit });
        return { kind: 'records', names: hits.flatMap(nameOf) };
      }
      const made = {
        group_by: group_by ?? [],
        measures: measures ?? [{ as: 'count', op: 'count' as const }],
      };
      const { rows: groups } = groupRecords([database], { ...selection, ...made, sort, limit });
      const measured = groups.map(({ values, measures: parts }) => ({
        values,
        measures: made.measures.map(({ op }, k) => measureOf(op, parts[k])),
      }));
      return { kind: 'groups', groups: measured, grouped: made.group_by.length > 0 };
    },
    named: (names) => {
      const wanted = new Set(names);
      return all.filter(({ name }) => wanted.has(name));
    },
  };
}

function answerOf<N extends OperationName>(
  database: DatabaseSync,
  operation: N,
  input: unknown,
): OperationOutput<N> {
  // The input belongs to the operation of the same question.
  const act = operations[operation] as (database: DatabaseSync, input: unknown) => OperationOutput<N>;
  return act(database, input);
}
