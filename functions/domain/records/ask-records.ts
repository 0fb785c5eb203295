// A request's question to the records of its workspace.
import type { OperationName, OperationOutput } from '#record-index/operations.ts';
import { type InputIfAny, openIndex } from './open-index.ts';
import { REQUEST_WAIT_MS, requestError } from './records-behind.ts';

/** The answer from everything that was written before this call. Throws upstream_timeout when that takes too long. */
export async function askRecords<N extends OperationName>(
  workspaceId: string,
  operation: N,
  ...input: InputIfAny<N>
): Promise<OperationOutput<N>> {
  try {
    const ask = await openIndex(workspaceId, REQUEST_WAIT_MS);
    return await ask(operation, ...input);
  } catch (error) {
    throw requestError(error);
  }
}
