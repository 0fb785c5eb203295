// Rows of data in a frame that scrolls by itself: columns as wide as their content, the first one always in view, and
// rows of one height until a reader asks for all of a cell.
import type { ComponentChildren } from 'preact';
import type { Row } from '../../sdk/index.ts';
import { type Column, cellOf } from '../view-models/cells.ts';
import type { Sorting } from '../view-models/table-rows.ts';
import { Scroll } from './scroll.tsx';
import { CellContent } from './value.tsx';

interface Props {
  title: string;
  columns: readonly Column[];
  rows: readonly { at: number; row: Row }[];
  /** Makes the headers sort. */
  order?: Order;
  /** Its texts are none of Markdown. */
  isPlain?: boolean;
  /** A first column whose cells the page draws. */
  lead?: { column: Column; cellOf: (at: number) => ComponentChildren };
}

interface Order {
  sorting: Sorting | undefined;
  onSort: (column: string) => void;
}

export function Sheet({ title, columns, rows, order, isPlain = false, lead }: Props) {
  return (
    <Scroll name={title}>
      <table class="sheet">
        <thead>
          <tr>
            {[...(lead ? [lead.column] : []), ...columns].map((column) => (
              <Header key={column.name} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, row }) => (
            <tr key={at}>
              {lead && <td>{lead.cellOf(at)}</td>}
              {columns.map((column) => (
                <DataCell key={column.name} column={column} value={row[column.name]} isPlain={isPlain} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface CellProps {
  column: Column;
  value: unknown;
  isPlain: boolean;
}

function DataCell({ column, value, isPlain }: CellProps) {
  const cell = cellOf(value, column, 'inRow');
  if (cell.kind !== 'text')
    return (
      <td class={column.isNumeric ? 'number' : undefined}>
        <CellContent cell={cell} inRow isPlain={isPlain} />
      </td>
    );
  return (
    <td>
      <div class="text">
        <CellContent cell={cell} inRow isPlain={isPlain} />
      </div>
    </td>
  );
}

const arrows = { none: '', ascending: '▲', descending: '▼' } as const;

function Header({ column: { name, label, isNumeric }, order }: { column: Column; order: Order | undefined }) {
  const kind = isNumeric ? 'number' : undefined;
  if (!order)
    return (
      <th scope="col" class={kind} title={name}>
        {label}
      </th>
    );
  const { sorting, onSort } = order;
  const direction = sorting?.column !== name ? 'none' : sorting.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind} aria-sort={direction}>
      <button type="button" class="sort" title={name} onClick={() => onSort(name)}>
        {label} <span aria-hidden="true">{arrows[direction]}</span>
      </button>
    </th>
  );
}
