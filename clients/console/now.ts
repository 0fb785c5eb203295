// The current time as a signal that ticks every second while the page is visible, for durations and "ago".
import { type ReadonlySignal, signal } from '@preact/signals';

const current = signal(Date.now());
setInterval(() => {
  if (!document.hidden) current.value = Date.now();
}, 1000);

/** Epoch ms, at most a second old. */
export const now: ReadonlySignal<number> = current;
