// The width that an element has on the page: texts of a chart keep their size at any width.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const UNTIL_MEASURED = 320;

export function useWidth(): [ref: RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const width = useSignal(UNTIL_MEASURED);
  useLayoutEffect(() => {
    const { current } = ref;
    if (!current) return;
    const measure = () => (width.value = Math.max(current.clientWidth, 1));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [ref, width.value];
}
