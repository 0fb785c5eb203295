// Wide content that scrolls in its own frame, also by keyboard, so that the page never scrolls sideways.
import type { ComponentChildren } from 'preact';

export function Scroll({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section class="scroll" tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}
