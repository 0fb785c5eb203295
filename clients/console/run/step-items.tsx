// The items of a step, a page at a time: what it passed on, or what a filter dropped (rules.md: console 12).
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { StepItemList, StepState } from '../../sdk/index.ts';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { allows, type Session } from '../session.ts';
import { columnsOf } from '../view-models/cells.ts';
import { itemRows, pageText } from '../view-models/item-rows.ts';

interface Props {
  session: Session;
  runId: string;
  step: StepState;
  /** How many items came in, where that is known. */
  itemsIn: number | undefined;
  /** The fields that the step writes. */
  made: readonly string[];
}

type Which = 'out' | 'dropped';

const PAGE = 20;

/** Nothing for a step that has not ended or yields no items, or where the key may not read them. */
export function StepItems({ session, runId, step, itemsIn, made }: Props) {
  const which = useSignal<Which>('out');
  const { kind, status, items_out } = step;
  const hasEnded = status === 'completed' || status === 'skipped';
  if (!hasEnded || items_out === undefined || !allows(session, 'artifacts:read')) return null;
  const dropped = itemsIn === undefined ? '' : ` ${(itemsIn - items_out).toLocaleString('en')}`;
  const tabs: readonly (readonly [Which, string])[] = [
    ['out', `Passed on ${items_out.toLocaleString('en')}`],
    ...(kind === 'filter' ? [['dropped', `Dropped${dropped}`] as const] : []),
  ];
  return (
    <section aria-label={`Items of step ${step.index + 1}`}>
      <fieldset class="row kinds">
        <legend class="unseen">Which items</legend>
        {tabs.map(([one, text]) => (
          <button
            key={one}
            type="button"
            aria-pressed={which.value === one}
            onClick={() => (which.value = one)}
          >
            {text}
          </button>
        ))}
      </fieldset>
      <Pages key={which.value} session={session} runId={runId} step={step} made={made} which={which.value} />
    </section>
  );
}

function Pages({ session, runId, step, made, which }: Omit<Props, 'itemsIn'> & { which: Which }) {
  const offset = useSignal(0);
  const from = offset.value;
  const query = { offset: from, limit: PAGE, which };
  const page = useResource(`${from} ${step.attempt}`, (signal) =>
    session.client.runs.items(runId, step.index, query, { signal }),
  );
  return (
    <Show resource={page}>
      {(list) => (
        <>
          <Rows
            title={`${which === 'out' ? 'Passed on' : 'Dropped'} by step ${step.index + 1}`}
            list={list}
            made={made}
          />
          {list.total > list.data.length && (
            <nav class="row" aria-label="Pages of the items">
              <button
                type="button"
                disabled={from === 0}
                onClick={() => (offset.value = Math.max(0, from - PAGE))}
              >
                Previous
              </button>
              <span>{pageText(from, list.data.length, list.total)}</span>
              <button
                type="button"
                disabled={from + list.data.length >= list.total}
                onClick={() => (offset.value = from + list.data.length)}
              >
                Next
              </button>
            </nav>
          )}
        </>
      )}
    </Show>
  );
}

interface RowsProps {
  title: string;
  list: StepItemList;
  made: readonly string[];
}

function Rows({ title, list: { data }, made }: RowsProps) {
  const { columns, rows } = useMemo(() => {
    const { columns, rows } = itemRows(data, made);
    return { columns: columnsOf(columns, rows), rows };
  }, [data]);
  if (rows.length === 0) return <p class="quiet">No items.</p>;
  return <Sheet title={title} columns={columns} rows={rows.map((row, at) => ({ at, row }))} />;
}
