// A text that would take too long to read as Markdown, as its author wrote it.
import { useSignal } from '@preact/signals';

const SHOWN_CHARACTERS = 500;

/** The beginning of the text, and all of it on request. */
export function UnreadText({ text }: { text: string }) {
  const isWhole = useSignal(false);
  const isCut = text.length > SHOWN_CHARACTERS && !isWhole.value;
  return (
    <>
      <span class="breaks">{isCut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}</span>
      {isCut && (
        <button type="button" class="plain" onClick={() => (isWhole.value = true)}>
          show all
        </button>
      )}
    </>
  );
}
