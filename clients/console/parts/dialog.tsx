// A modal dialog: it takes the focus, Escape closes it, and the focus returns.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  title: string;
  onClose: () => void;
  /** As wide as a table needs. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, isWide, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class={isWide ? 'wide' : undefined} aria-label={title} onClose={onClose}>
      <header class="row">
        <h2>{title}</h2>
        <button type="button" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
