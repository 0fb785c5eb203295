// A page of records: columns that sort, names that lead to the record, and boxes that choose records.
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { StepItem } from '../../sdk/index.ts';
import { Sheet } from '../parts/sheet.tsx';
import { go, here } from '../router.ts';
import { type Column, columnsOf } from '../view-models/cells.ts';
import { rowOf } from '../view-models/record-rows.ts';
import { addressOf, type RecordView } from '../view-models/record-view.ts';

interface Props {
  title: string;
  items: readonly StepItem[];
  view: RecordView;
  /** The ids of the chosen records; undefined where there is nothing to do with them. */
  chosen: Signal<ReadonlySet<string>> | undefined;
}

const nameColumn: Column = { name: 'name', label: 'Name', isNumeric: false, write: String };

export function RecordsTable({ title, items, view: { columns, sorting }, chosen }: Props) {
  const rows = useMemo(() => items.map((item) => rowOf(item, columns)), [items, columns.join('\n')]);
  const onSort = (column: string) => {
    const isTurned = sorting ? sorting.column === column && !sorting.descending : column === 'name';
    go(here(addressOf.sorting(column, isTurned)));
  };
  return (
    <Sheet
      title={title}
      isPlain
      columns={columnsOf(columns, rows)}
      rows={rows.map((row, at) => ({ at, row }))}
      order={{ sorting: sorting ?? { column: 'name', descending: false }, onSort }}
      lead={{
        column: nameColumn,
        cellOf: (at) => {
          const item = items[at];
          return item && <Name item={item} chosen={chosen} />;
        },
      }}
    />
  );
}

function Name({ item: { id, name }, chosen }: { item: StepItem; chosen: Props['chosen'] }) {
  if (id === null) return <>{name}</>;
  return (
    <div class="lead">
      {chosen && (
        <label class="pick">
          <input
            type="checkbox"
            aria-label={`Choose ${name}`}
            checked={chosen.value.has(id)}
            onChange={() => (chosen.value = toggled(chosen.value, id))}
          />
        </label>
      )}
      <a class="lead-name" title={name} href={here({ record: `entity=${id}` })}>
        {name}
      </a>
    </div>
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
