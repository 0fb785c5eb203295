// The present moment as a signal that ticks every second while the page is seen, for durations and "ago".
import { type ReadonlySignal, signal } from '@preact/signals';

const current = signal(Date.now());
setInterval(() => {
  if (!document.hidden) current.value = Date.now();
}, 1000);

/** Epoch ms, a second old at most. */
export const now: ReadonlySignal<number> = current;
