// Decisions about records that others may write at the same time.
import { jitter, pause } from '#platform/pause.ts';
import { ConditionFailed } from '#store/table/table.ts';

const MAX_TRIES = 20;
const FIRST_DELAY_MS = 5;

/** Repeats a decision when the state that it read changed before its write. `decide` must do all its reads itself. */
export async function retryIfChanged<T>(decide: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tried === MAX_TRIES) throw error;
      await pause(jitter(FIRST_DELAY_MS * tried));
    }
  }
}
