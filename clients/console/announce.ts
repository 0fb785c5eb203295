// What is said to those who do not see the page: changes of status, and nothing else.
import { type ReadonlySignal, signal } from '@preact/signals';

const current = signal('');

/** The last announcement; the shell holds it in a live region. */
export const announcement: ReadonlySignal<string> = current;

/** Says a change politely. */
export function announce(text: string): void {
  current.value = text;
}
