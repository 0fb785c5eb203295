// Whether the service can be reached, as the last request found it.
import { type ReadonlySignal, signal } from '@preact/signals';

const failing = signal(false);

/** The last request brought no answer, or the browser says that it is offline. */
export const away: ReadonlySignal<boolean> = failing;

addEventListener('offline', () => {
  failing.value = true;
});
addEventListener('online', () => {
  failing.value = false;
});

/** `fetch`, noticing whether an answer comes. */
export const noticingFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    failing.value = false;
    return response;
  } catch (error) {
    const [, options] = request;
    if (!options?.signal?.aborted) failing.value = true;
    throw error;
  }
};
