// Shortcuts of the keyboard: each page says its own, the shell lists them.
import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** A key, what it does in words, and doing it; without that, the browser does it. */
export interface Shortcut {
  key: string;
  does: string;
  run?: () => void;
}

const active = signal<readonly (readonly Shortcut[])[]>([]);

/** The shortcuts that work now. */
export const shortcuts: ReadonlySignal<readonly (readonly Shortcut[])[]> = active;

/** Whether a key pressed there is meant for the field that has the focus. */
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

/** Makes shortcuts work as long as the component is there. */
export function useShortcuts(own: readonly Shortcut[]): void {
  const latest = useRef(own);
  latest.current = own;
  useEffect(() => {
    // What a key does may change with every render, the keys themselves do not.
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
