// A value of a record or a table, in the form in which people read it.
import { useSignal } from '@preact/signals';
import { staysText } from '../view-models/bounded-lexer.ts';
import { type Cell, cellOf, columnsOf } from '../view-models/cells.ts';
import { InlineMarkdown } from './markdown.tsx';

/** A value on its own. */
export function Value({ name, value }: { name: string; value: unknown }) {
  const [column] = columnsOf([name], [{ [name]: value }]);
  return column ? <CellContent cell={cellOf(value, column)} /> : null;
}

/** The content of a cell. */
export function CellContent({ cell }: { cell: Cell }) {
  switch (cell.kind) {
    case 'empty':
      return null;
    case 'number':
      return <span title={cell.exact === cell.text ? undefined : cell.exact}>{cell.text}</span>;
    case 'date':
      return (
        <time dateTime={cell.iso} title={cell.iso}>
          {cell.text}
        </time>
      );
    case 'chips':
      return (
        <ul class="chips">
          {cell.entries.map((entry) => (
            <li>{entry}</li>
          ))}
        </ul>
      );
    case 'text':
      // A text that stays as text brings its own control.
      return cell.isLong && !staysText(cell.text) ? (
        <LongText text={cell.text} />
      ) : (
        <InlineMarkdown text={cell.text} />
      );
  }
}

/** Three lines, and the rest on request. */
function LongText({ text }: { text: string }) {
  const isOpen = useSignal(false);
  return (
    <>
      <div class={isOpen.value ? undefined : 'clamped'}>
        <InlineMarkdown text={text} />
      </div>
      <button
        type="button"
        class="plain"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? 'less' : 'more'}
      </button>
    </>
  );
}
