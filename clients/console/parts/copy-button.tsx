// A button that copies a text and confirms it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { announce } from '../announce.ts';

const SAID_FOR_MS = 2000;

/** `text` is computed on demand. */
export function CopyButton({
  text,
  children,
}: {
  text: () => string | Promise<string>;
  children: ComponentChildren;
}) {
  const said = useSignal<string | undefined>(undefined);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      said.value = 'Copied';
    } catch {
      // Pages served over plain http from another machine have no clipboard.
      said.value = 'This browser does not allow copying';
    }
    announce(said.value);
    setTimeout(() => (said.value = undefined), SAID_FOR_MS);
  };
  return (
    <button type="button" onClick={copy}>
      {said.value ?? children}
    </button>
  );
}
