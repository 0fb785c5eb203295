// The records of a type as a table: searched, under conditions, sorted, fifty to a page. The address contains it all.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { EntityType } from '../../sdk/index.ts';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { counted } from '../view-models/figures.ts';
import {
  addressOf,
  askAbout,
  conditionText,
  PAGE_RECORDS,
  pageParamsOf,
  paramsOf,
  type RecordView,
  titleOf,
} from '../view-models/record-view.ts';
import { ColumnsForm } from './columns-form.tsx';
import { ConditionsForm } from './conditions-form.tsx';
import { DeleteRecords } from './delete-records.tsx';
import { type Answer, recordPage } from './fetched.ts';
import { Pager } from './pager.tsx';
import { RecordsTable } from './records-table.tsx';

interface Props {
  session: Session;
  type: EntityType;
  view: RecordView;
  /** Records were deleted. */
  onChanged: () => Promise<void>;
}

export function RecordsBrowser({ session, type, view, onChanged }: Props) {
  const { page } = view;
  const params = paramsOf(view, type);
  const answer = useRef<Answer>(undefined);
  const shown = useResource(`${page} ${JSON.stringify(params)}`, async (signal) => {
    const title = titleOf(view, type);
    const ask = { title, params, less: pageParamsOf(view, type), offset: page * PAGE_RECORDS };
    const read = await recordPage(session, { ...ask, limit: PAGE_RECORDS }, answer.current, signal);
    answer.current = read;
    return read;
  });
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => {
    chosen.value = new Set();
  }, [JSON.stringify(params), page]);
  const onDeleted = async () => {
    answer.current = undefined;
    chosen.value = new Set();
    await Promise.all([shown.reload(), onChanged()]);
  };
  return (
    <>
      <Tools type={type} view={view} />
      <Show resource={shown}>
        {({ items, matched }) => (
          <>
            <div class="row">
              <span class="quiet" role="status">
                {countText(matched, type)}
              </span>
              {allows(session, 'runs:create') && (
                <a class="button" href={link('new', { body: JSON.stringify(askAbout(view, type)) })}>
                  Ask about these
                </a>
              )}
              <DeleteRecords
                session={session}
                type={type}
                view={view}
                matched={matched}
                chosen={chosen.value}
                onDeleted={onDeleted}
              />
            </div>
            {items.length > 0 && (
              <RecordsTable
                title={`Records of the type ${type.type}, a table`}
                items={items}
                view={view}
                chosen={allows(session, 'records:write') ? chosen : undefined}
              />
            )}
            <Pager page={page} matched={matched} />
          </>
        )}
      </Show>
    </>
  );
}

const countText = (matched: number, { count }: EntityType) =>
  matched === count
    ? counted(matched, 'record')
    : `${matched.toLocaleString('en')} of ${counted(count, 'record')}`;

function Tools({ type, view }: { type: EntityType; view: RecordView }) {
  const open = useSignal<'conditions' | 'columns' | undefined>(undefined);
  const toggle = (part: 'conditions' | 'columns') => () => {
    open.value = open.value === part ? undefined : part;
  };
  const apply = (conditions: RecordView['conditions']) => {
    open.value = undefined;
    go(here(addressOf.conditions(conditions)));
  };
  return (
    <div class="filters">
      <div class="row">
        <Search words={view.words} type={type.type} />
        <button type="button" aria-expanded={open.value === 'conditions'} onClick={toggle('conditions')}>
          Conditions
        </button>
        <button type="button" aria-expanded={open.value === 'columns'} onClick={toggle('columns')}>
          Columns
        </button>
      </div>
      {open.value === 'conditions' && (
        <ConditionsForm
          key={JSON.stringify(view.conditions)}
          type={type}
          conditions={view.conditions}
          onApply={apply}
        />
      )}
      {open.value === 'columns' && (
        <ColumnsForm
          type={type}
          columns={view.columns}
          onChoose={(columns) => go(here(addressOf.columns(columns)), { replace: true })}
        />
      )}
      {view.conditions.length > 0 && (
        <ul class="row entries-in-line" aria-label="Conditions in force">
          {view.conditions.map((condition, at) => (
            <li key={conditionText(condition)}>
              <button
                type="button"
                aria-pressed="true"
                onClick={() => apply(view.conditions.toSpliced(at, 1))}
              >
                {conditionText(condition)} <span aria-hidden="true">&nbsp;×</span>
                <span class="unseen">: take this condition away</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Searches when it is asked to: each search is a run. */
function Search({ words, type }: { words: string; type: string }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = String(new FormData(event.currentTarget).get('q')).trim();
    go(here(addressOf.words(text)));
  };
  return (
    <search>
      <form class="row search-form" onSubmit={submit}>
        <input
          key={words}
          name="q"
          type="search"
          maxLength={200}
          defaultValue={words}
          aria-label="Words of a record"
          placeholder={`Words in ${type} records`}
        />
        <button type="submit">Find</button>
      </form>
    </search>
  );
}
