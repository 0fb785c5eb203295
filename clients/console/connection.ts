// Whether the last request reached the service.
import { type ReadonlySignal, signal } from '@preact/signals';

const failing = signal(false);

/** The last request got no answer, or the browser is offline. */
export const away: ReadonlySignal<boolean> = failing;

addEventListener('offline', () => {
  failing.value = true;
});
addEventListener('online', () => {
  failing.value = false;
});

/** `fetch` that records whether an answer came. */
export const noticingFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    // A reply may arrive just after the browser has gone offline.
    failing.value = !navigator.onLine;
    return response;
  } catch (error) {
    const [, options] = request;
    if (!options?.signal?.aborted) failing.value = true;
    throw error;
  }
};
