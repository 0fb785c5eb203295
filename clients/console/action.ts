// Something that somebody does: whether it is being done, and why it failed.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';

export interface Action {
  readonly pending: ReadonlySignal<boolean>;
  /** Why the last try failed; undefined after a success. */
  readonly error: ReadonlySignal<unknown>;
  /** Does it, unless it is being done already. Never throws. */
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
