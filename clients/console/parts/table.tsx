// A table of any size: searched by words, sorted by a column, two hundred rows at a time.
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Row } from '../../sdk/index.ts';
import { counted } from '../view-models/figures.ts';
import {
  foundRows,
  PAGE_ROWS,
  type ReadRow,
  readRows,
  type Sorting,
  sortedRows,
} from '../view-models/table-rows.ts';
import { InlineMarkdown } from './markdown.tsx';
import { Scroll } from './scroll.tsx';

interface Props {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
}

export function Table({ title, columns, rows }: Props) {
  const read = useMemo(() => readRows(columns, rows), [columns, rows]);
  const words = useSignal('');
  const sorting = useSignal<Sorting | undefined>(undefined);
  const page = useSignal(0);
  const found = useComputed(() => sortedRows(foundRows(read, words.value), sorting.value));
  const first = page.value * PAGE_ROWS;
  const sort = (column: string) => {
    sorting.value = next(sorting.peek(), column);
    page.value = 0;
  };
  return (
    <>
      <div class="row">
        <label>
          Find{' '}
          <input
            type="search"
            value={words.value}
            onInput={(event) => {
              words.value = event.currentTarget.value;
              page.value = 0;
            }}
          />
        </label>
        <span class="quiet" role="status">
          {found.value.length === rows.length
            ? counted(rows.length, 'row')
            : `${found.value.length.toLocaleString('en')} of ${counted(rows.length, 'row')}`}
        </span>
      </div>
      <Scroll name={title}>
        <table class="sheet">
          <Head columns={columns} sorting={sorting.value} onSort={sort} />
          <tbody>
            {found.value.slice(first, first + PAGE_ROWS).map(({ row }) => (
              <tr>
                {columns.map((column) => (
                  <Cell key={column} value={row[column]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pages page={page.value} rows={found.value} onPage={(wanted) => (page.value = wanted)} />
    </>
  );
}

/** Ascending, descending, unsorted. */
function next(sorting: Sorting | undefined, column: string): Sorting | undefined {
  if (sorting?.column !== column) return { column, descending: false };
  return sorting.descending ? undefined : { column, descending: true };
}

interface HeadProps {
  columns: readonly string[];
  sorting: Sorting | undefined;
  onSort: (column: string) => void;
}

function Head({ columns, sorting, onSort }: HeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const order = sorting?.column !== column ? 'none' : sorting.descending ? 'descending' : 'ascending';
          return (
            <th key={column} scope="col" aria-sort={order}>
              <button type="button" class="sort" onClick={() => onSort(column)}>
                {column} <span aria-hidden="true">{arrows[order]}</span>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const arrows = { none: '', ascending: '▲', descending: '▼' } as const;

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <td />;
  if (typeof value === 'number')
    return <td class="number">{value.toLocaleString('en', { maximumFractionDigits: 20 })}</td>;
  if (typeof value === 'string')
    return (
      <td>
        <InlineMarkdown text={value} />
      </td>
    );
  return <td>{typeof value === 'boolean' ? String(value) : <code>{JSON.stringify(value)}</code>}</td>;
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
