// An action of the user: whether it is running, and why it failed.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';

export interface Action {
  readonly pending: ReadonlySignal<boolean>;
  /** Why the last attempt failed; undefined after a success. */
  readonly error: ReadonlySignal<unknown>;
  /** Runs the work unless it is running already. Never throws. */
  start(work: () => Promise<void>): Promise<void>;
}

/** An action of the component, with its states as signals. */
export function useAction(): Action {
  const pending = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const start = useCallback(async (work: () => Promise<void>) => {
    if (pending.peek()) return;
    pending.value = true;
    error.value = undefined;
    try {
      await work();
    } catch (thrown) {
      error.value = thrown;
    }
    pending.value = false;
  }, []);
  return { pending, error, start };
}
