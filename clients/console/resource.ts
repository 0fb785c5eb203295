// Loads something for a page: its states, and how to reload it.
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';

/** The state of a load. After a failed reload the value stays, together with the error. */
export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T; error?: unknown }
  | { state: 'failed'; error: unknown };

export interface Resource<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Reloads; the current value stays until the answer arrives. Never throws. */
  reload(): Promise<void>;
  /** Replaces the loaded value with a newer one. */
  replace(value: T): void;
}

/** Loads the resource called `name`, again when the name changes; a load that is no longer needed is aborted. */
export function useResource<T>(name: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const loaded = useSignal<Loaded<T>>({ state: 'loading' });
  const latest = useRef(load);
  latest.current = load;
  const running = useRef<AbortController>(undefined);

  const replace = useCallback((value: T) => {
    running.current?.abort();
    loaded.value = { state: 'ready', value };
  }, []);

  const reload = useCallback(async () => {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    const { signal } = mine;
    try {
      const value = await latest.current(signal);
      if (!signal.aborted) loaded.value = { state: 'ready', value };
    } catch (error) {
      if (signal.aborted) return;
      const before = loaded.peek();
      loaded.value = before.state === 'ready' ? { ...before, error } : { state: 'failed', error };
    }
  }, []);

  useEffect(() => {
    loaded.value = { state: 'loading' };
    void reload();
    return () => running.current?.abort();
  }, [name]);
  return { loaded, reload, replace };
}
