// What is known of the vectors of records, for an administrator.
import { type EmbeddingOf, isOf, outdatedIn } from '#contract/embeddings.ts';
import type { VectorCounts } from '#contract/record-queries.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { configuredEmbedding } from '#models/configured-embedding.ts';
import { settleAll } from '#platform/settle-all.ts';
import { getRebuild, type Rebuild } from '#store/records/vector-rebuilds.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { openRecords } from './records-client.ts';

const INDEX_BUDGET_MS = 20_000;
const IN_PARALLEL = 5;
/** The function has 300 s. */
const TIME_MS = 240_000;

export interface ShownVectors {
  model: string;
  /** null while the model has made no vector yet. */
  dimensions: number | null;
  vectors: number;
  /** Records without a vector of this embedding. */
  outdated: number;
  /** Whether the service is about to make them again. */
  rebuilding: boolean;
}

/** The vectors of one workspace, or of all. Throws AdminError `workspace_not_found`, `invalid_arguments`. */
export async function showVectors(workspaceId: string | undefined): Promise<ShownVectors> {
  const until = Date.now() + TIME_MS;
  const shown: ShownVectors[] = [];
  for await (const ids of workspacePages(workspaceId)) {
    if (Date.now() > until)
      throw new AdminError('invalid_arguments', 'There are too many workspaces: name one with --workspace.');
    shown.push(...(await settleAll(ids, IN_PARALLEL, showOne)));
  }
  return {
    model: configuredEmbedding().embeddingModel,
    dimensions: shown.find(({ dimensions }) => dimensions !== null)?.dimensions ?? null,
    vectors: shown.reduce((sum, { vectors }) => sum + vectors, 0),
    outdated: shown.reduce((sum, { outdated }) => sum + outdated, 0),
    rebuilding: shown.some(({ rebuilding }) => rebuilding),
  };
}

async function* workspacePages(workspaceId: string | undefined): AsyncGenerator<string[]> {
  if (workspaceId !== undefined) {
    yield [(await requireWorkspace(workspaceId)).workspace_id];
    return;
  }
  for (let after: string | undefined; ; ) {
    const page = await workspaces.page(after);
    yield page.workspaces
      .filter(({ status }) => status !== 'deleted')
      .map(({ workspace_id }) => workspace_id);
    if (page.next === undefined) return;
    after = page.next;
  }
}

async function showOne(workspaceId: string): Promise<ShownVectors> {
  const counts = await openRecords(workspaceId, INDEX_BUDGET_MS)('vectorCounts');
  const rebuild = await getRebuild(workspaceId);
  const { embeddingModel: model, embeddingDimensions } = configuredEmbedding();
  const dimensions = embeddingDimensions ?? knownDimensions(model, counts, rebuild);
  const outdated = outdatedIn(counts, { model, dimensions });
  const vectors = counts.vectors.reduce((sum, { count }) => sum + count, 0);
  const rebuilding = rebuild?.due_at !== undefined || (outdated > 0 && vectors < counts.records);
  return { model, dimensions: dimensions ?? null, vectors, outdated, rebuilding };
}

/** The dimensions that a search has asked for, else those of most vectors of the model. */
function knownDimensions(
  model: string,
  { vectors }: VectorCounts,
  rebuild: Rebuild | undefined,
): number | undefined {
  if (rebuild?.model === model && rebuild.dimensions !== undefined) return rebuild.dimensions;
  const wanted: EmbeddingOf = { model };
  const [most] = vectors
    .filter(({ vector_of }) => isOf(wanted, vector_of))
    .toSorted((left, right) => right.count - left.count);
  return most && Number(most.vector_of.slice(model.length + 1));
}
