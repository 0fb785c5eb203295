// Announcements for screen readers: changes of status only.
import { type ReadonlySignal, signal } from '@preact/signals';

const current = signal('');

/** The last announcement; the shell renders it in a live region. */
export const announcement: ReadonlySignal<string> = current;

/** Announces a change politely. */
export function announce(text: string): void {
  current.value = text;
}
