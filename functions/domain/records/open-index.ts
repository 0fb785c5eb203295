// Opens the index of a workspace's records for queries, after bringing it up to date.
import type { FoundGroups, GroupQuery } from '#contract/record-queries.ts';
import type { OperationInput, OperationName, OperationOutput } from '#record-index/operations.ts';
import {
  IndexDamaged,
  type LimitedReading,
  onIndex,
  readIndex,
  removeIndex,
} from '#record-index/record-index.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { currentIndex } from './current-index.ts';

/** The input of an operation, for those that have one. */
export type InputIfAny<N extends OperationName> =
  undefined extends OperationInput<N> ? [] : [OperationInput<N>];

/** Performs an operation on an index. */
export type AskIndex = <N extends OperationName>(
  operation: N,
  ...input: InputIfAny<N>
) => Promise<OperationOutput<N>>;

interface OpenOptions {
  /** The head of the records as the caller has read it. */
  seen?: SeenHead | undefined;
  /** Limits the readings; absent: they take as long as they need. */
  reading?: LimitedReading | undefined;
}

/**
 * Opens the index of a workspace, with everything in it that was written before this call. Opening it and each repair
 * of a damaged file throw RecordsBehind when they take longer than `budgetMs`.
 */
export async function openIndex(
  workspaceId: string,
  budgetMs: number,
  { seen, reading }: OpenOptions = {},
): Promise<AskIndex> {
  let file = await currentIndex(workspaceId, budgetMs, seen);
  return async (operation, ...input) => {
    const ask = () =>
      reading ? readIndex(reading, file, operation, ...input) : onIndex(file, operation, ...input);
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof IndexDamaged)) throw error;
      // The file is a copy: rebuild it from the table.
      await removeIndex(file);
      file = await currentIndex(workspaceId, budgetMs);
      return ask();
    }
  };
}

/** The groups of the records of several workspaces, from their indexes. Throws as `openIndex` and its readings do. */
export async function groupRecords(
  workspaceIds: string[],
  query: GroupQuery,
  budgetMs: number,
  reading: LimitedReading,
): Promise<FoundGroups> {
  const opened = () => Promise.all(workspaceIds.map((workspaceId) => currentIndex(workspaceId, budgetMs)));
  const group = ([file = '', ...other_files]: string[]) =>
    readIndex(reading, file, 'group', { query, other_files });
  const files = await opened();
  try {
    return await group(files);
  } catch (error) {
    if (!(error instanceof IndexDamaged)) throw error;
    await Promise.all(files.map(removeIndex));
    return group(await opened());
  }
}
