// A text once its writer pauses.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const SETTLES_MS = 250;

/** The trimmed text of the last pause in typing. */
export function useSettled(text: string): string {
  const settled = useSignal(text.trim());
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = text.trim()), SETTLES_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}
