// A request's question to the records of its workspace.
import { type AskRecords, openRecords } from './open-records.ts';
import { REQUEST_WAIT_MS, requestError } from './records-behind.ts';

/** Opens the records for a request. Answers throw upstream_timeout when they take too long. */
export function recordsOf(workspaceId: string): AskRecords {
  const ask = openRecords(workspaceId, REQUEST_WAIT_MS);
  return async (operation, ...input) => {
    try {
      return await ask(operation, ...input);
    } catch (error) {
      throw requestError(error);
    }
  };
}
