// What a model is shown of a workspace for a query: types and fields, and the live sources, values and records that the
// query names.
import { textSources } from '#contract/source-names.ts';
import { openRecords } from '#domain/records/records-client.ts';
import { describeSources } from '#domain/sources/manage-sources.ts';
import type { KnownWorkspace } from '#models/tasks/model-task.ts';
import { wordsOf } from '#platform/words.ts';
import * as entities from '#store/records/entity-items.ts';
import { namedSources } from './named-sources.ts';

/** The types with the most records are shown. */
export const TYPES_MAX = 100;
const CANDIDATES_MAX = 20;
const VALUES_MAX = 50;

/** What is asked of a workspace, and when (epoch ms). */
interface Asked {
  workspace_id: string;
  query: string;
  asked_at: number;
  has_sources: boolean;
  /** Whether its key may read notes and artifacts. */
  reads_texts: boolean;
}

/**
 * Reads the index, at a cost independent of the number of records. Throws RecordsBehind when the index needs more than
 * `budgetMs` to catch up.
 */
export async function knownWorkspace(
  { workspace_id: workspaceId, query, asked_at, has_sources, reads_texts }: Asked,
  budgetMs: number,
): Promise<KnownWorkspace> {
  const ask = openRecords(workspaceId, budgetMs);
  const [all, { types }, values, named] = await Promise.all([
    has_sources ? describeSources(workspaceId) : [],
    ask('outline'),
    ask('mentionedValues', { text: inAllNumbers(query), limit: VALUES_MAX }),
    ask('mentionedRecords', { text: query, limit: CANDIDATES_MAX }),
  ]);
  const sources = namedSources(query, all);
  const candidates = await entities.getMany(
    workspaceId,
    named.map(({ id }) => id),
  );
  return {
    shape: { types: types.slice(0, TYPES_MAX), ...(sources.length > 0 && { sources }) },
    values,
    candidates: candidates.map(({ id, type, name, fields }) => ({ id, type, name, fields })),
    other_sources: reads_texts ? [...textSources, 'relationships'] : ['relationships'],
    today: new Date(asked_at).toISOString().slice(0, 10),
  };
}

/** The query, then its words in the singular and in the plural: "laptops" mentions the value `laptop`. */
export function inAllNumbers(query: string): string {
  const singular = wordsOf(query);
  const forms = [
    (word: string) => word,
    (word: string) => word.replace(/e$/, ''),
    (word: string) => `${word}s`,
  ];
  return [query, ...forms.map((form) => singular.map(form).join(' '))].join('\n');
}
