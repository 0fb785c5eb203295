// A provider that is set up on its first use.
import { KeyRefused, ModelError } from './model.ts';

/**
 * Loads on first use and again after a failure, which surfaces as a transient ModelError. When the provider refuses the
 * key, the use is repeated once with the key read again: an operator may have rotated it.
 */
export function loaded<T>(load: () => Promise<T>): <R>(use: (provider: T) => Promise<R>) => Promise<R> {
  let loading: Promise<T> | undefined;
  async function current(): Promise<T> {
    loading ??= load();
    try {
      return await loading;
    } catch {
      loading = undefined;
      throw new ModelError('The model could not be set up: its key cannot be read', { cause: 'away' });
    }
  }
  return async (use) => {
    const provider = await current();
    try {
      return await use(provider);
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      // Of many refused calls, the first reloads the key for all.
      if ((await current()) === provider) loading = undefined;
      return use(await current());
    }
  };
}
