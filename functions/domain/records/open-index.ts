// Opens the index of a workspace's records for queries, after bringing it up to date.
import type { OperationInput, OperationName, OperationOutput } from '#record-index/operations.ts';
import { IndexDamaged, onIndex, removeIndex } from '#record-index/record-index.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { currentIndex } from './current-index.ts';

/** Performs an operation on an index. */
export type AskIndex = <N extends OperationName>(
  operation: N,
  ...input: undefined extends OperationInput<N> ? [] : [OperationInput<N>]
) => Promise<OperationOutput<N>>;

/**
 * Opens the index of a workspace, with everything in it that was written before this call. Opening it and each repair
 * of a damaged file throw RecordsBehind when they take longer than `budgetMs`.
 */
export async function openIndex(workspaceId: string, budgetMs: number, seen?: SeenHead): Promise<AskIndex> {
  let file = await currentIndex(workspaceId, budgetMs, seen);
  return async (operation, ...input) => {
    try {
      return await onIndex(file, operation, ...input);
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      // The file is a copy: rebuild it from the table.
      await removeIndex(file);
      file = await currentIndex(workspaceId, budgetMs);
      return onIndex(file, operation, ...input);
    }
  };
}
