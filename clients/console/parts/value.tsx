// A value of a record or a table, in the form in which people read it.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { staysText } from '../view-models/bounded-lexer.ts';
import { type Cell, cellOf, columnsOf } from '../view-models/cells.ts';
import { InlineMarkdown, PlainText } from './markdown.tsx';

/** A value on its own. */
export function Value({ name, value, isPlain = false }: { name: string; value: unknown; isPlain?: boolean }) {
  const [column] = columnsOf([name], [{ [name]: value }]);
  return column ? <CellContent cell={cellOf(value, column)} isPlain={isPlain} /> : null;
}

interface Props {
  cell: Cell;
  /** Next to other cells: no more of a list than fits into a line. */
  inRow?: boolean;
  /** Its text is none of Markdown. */
  isPlain?: boolean;
}

/** The content of a cell. */
export function CellContent({ cell, inRow = false, isPlain = false }: Props) {
  const Text = isPlain ? PlainText : InlineMarkdown;
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
      return <Chips entries={cell.entries} inRow={inRow} />;
    case 'text':
      // A text that stays as text brings its own control.
      return cell.isLong && !staysText(cell.text) ? (
        <LongText>
          <Text text={cell.text} />
        </LongText>
      ) : (
        <Text text={cell.text} {...(inRow && { shown: CHARACTERS_IN_ROW })} />
      );
  }
}

const CHIPS_IN_ROW = 3;
/** Of a text that brings its own control. */
const CHARACTERS_IN_ROW = 36;

/** The elements of a list: the first ones, and the rest on request. */
function Chips({ entries, inRow }: { entries: readonly string[]; inRow: boolean }) {
  const isOpen = useSignal(false);
  const isCut = inRow && !isOpen.value;
  const shown = isCut ? entries.slice(0, CHIPS_IN_ROW) : entries;
  const chips = (
    <ul class={isCut ? 'chips in-line' : 'chips'}>
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
function LongText({ children }: { children: ComponentChildren }) {
  const isOpen = useSignal(false);
  return (
    <>
      <div class={isOpen.value ? undefined : 'clamped'}>{children}</div>
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
