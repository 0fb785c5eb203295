// Keyboard shortcuts: each page declares its own; the shell lists them.
import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** A key, its description and its action; without an action the browser handles the key. */
export interface Shortcut {
  key: string;
  does: string;
  run?: () => void;
}

const active = signal<readonly (readonly Shortcut[])[]>([]);

/** The active shortcuts. */
export const shortcuts: ReadonlySignal<readonly (readonly Shortcut[])[]> = active;

/** Whether the focused field handles the key. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    return;
  const found = active
    .peek()
    .flat()
    .findLast(({ key }) => key === event.key);
  if (!found?.run) return;
  event.preventDefault();
  found.run();
});

/** Activates shortcuts while the component is mounted. */
export function useShortcuts(own: readonly Shortcut[]): void {
  const latest = useRef(own);
  latest.current = own;
  useEffect(() => {
    // The actions may change with every render; the keys do not.
    const entry = own.map(({ key, does, run }) => ({
      key,
      does,
      ...(run && { run: () => latest.current.find((one) => one.key === key)?.run?.() }),
    }));
    active.value = [...active.peek(), entry];
    return () => {
      active.value = active.peek().filter((one) => one !== entry);
    };
  }, []);
}
