// A table of any size: searched by words, sorted by a column, two hundred rows at a time.
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Row } from '../../sdk/index.ts';
import { shownColumns } from '../../shown-columns.ts';
import { columnsOf } from '../view-models/cells.ts';
import { counted } from '../view-models/figures.ts';
import {
  foundRows,
  PAGE_ROWS,
  type ReadRow,
  readRows,
  type Sorting,
  sortedRows,
} from '../view-models/table-rows.ts';
import { Sheet } from './sheet.tsx';

interface Props {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
}

export function Table({ title, columns: all, rows }: Props) {
  const names = useMemo(() => shownColumns(all, rows), [all, rows]);
  const columns = useMemo(() => columnsOf(names, rows), [names, rows]);
  const read = useMemo(() => readRows(names, rows), [names, rows]);
  const words = useSignal('');
  const sorting = useSignal<Sorting | undefined>(undefined);
  const page = useSignal(0);
  const found = useComputed(() => sortedRows(foundRows(read, words.value), sorting.value));
  const first = page.value * PAGE_ROWS;
  const onSort = (column: string) => {
    sorting.value = next(sorting.peek(), column);
    page.value = 0;
  };
  return (
    <>
      <div class="row">
        <input
          type="search"
          aria-label="Find in the table"
          placeholder="Find in the table"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
            page.value = 0;
          }}
        />
        <span class="quiet" role="status">
          {found.value.length === rows.length
            ? counted(rows.length, 'row')
            : `${found.value.length.toLocaleString('en')} of ${counted(rows.length, 'row')}`}
        </span>
      </div>
      <Sheet
        title={title}
        columns={columns}
        rows={found.value.slice(first, first + PAGE_ROWS)}
        order={{ sorting: sorting.value, onSort }}
      />
      <Pages page={page.value} rows={found.value} onPage={(wanted) => (page.value = wanted)} />
    </>
  );
}

/** Ascending, descending, unsorted. */
function next(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, descending: false };
  return sorting.descending ? undefined : { column, descending: true };
}

interface PagesProps {
  page: number;
  rows: readonly ReadRow[];
  onPage: (page: number) => void;
}

function Pages({ page, rows, onPage }: PagesProps) {
  const pages = Math.ceil(rows.length / PAGE_ROWS);
  if (pages <= 1) return null;
  return (
    <nav class="row" aria-label="Pages of the table">
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {page + 1} of {pages}
      </span>
      <button type="button" disabled={page + 1 >= pages} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
