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

/** The content of a cell; in a row of cells, no more of a list than fits into a line. */
export function CellContent({ cell, inRow = false }: { cell: Cell; inRow?: boolean }) {
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
      return <Chips entries={cell.entries} most={inRow ? CHIPS_IN_ROW : cell.entries.length} />;
    case 'text':
      // A text that stays as text brings its own control.
      return cell.isLong && !staysText(cell.text) ? (
        <LongText text={cell.text} />
      ) : (
        <InlineMarkdown text={cell.text} />
      );
  }
}

const CHIPS_IN_ROW = 3;

/** The elements of a list: the first ones, and the rest on request. */
function Chips({ entries, most }: { entries: readonly string[]; most: number }) {
  const isOpen = useSignal(false);
  const shown = isOpen.value ? entries : entries.slice(0, most);
  const chips = (
    <ul class="chips">
      {shown.map((entry) => (
        <li title={entry}>{entry}</li>
      ))}
    </ul>
  );
  if (entries.length === shown.length) return chips;
  return (
    <div class="cut-list">
      {chips}
      <button type="button" class="plain" onClick={() => (isOpen.value = true)}>
        {entries.length - shown.length} more
      </button>
    </div>
  );
}

/** The first lines, and the rest on request. */
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
