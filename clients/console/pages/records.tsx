// What a workspace knows: its types of records, their fields, and records by name.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EntityType } from '../../sdk/index.ts';
import { NoRecords } from '../parts/no-records.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import type { Session } from '../session.ts';
import { useSettled } from '../settled.ts';
import { useTitle } from '../title.ts';
import { columnsOf } from '../view-models/cells.ts';
import { counted } from '../view-models/figures.ts';
import { fieldRows } from '../view-models/outline.ts';
import type { PageProps } from './page.ts';

/** Without a search, only the first records are shown. */
const SHOWN = 10;
const FOUND = 50;

export function RecordsPage({ session, query }: PageProps) {
  useTitle('Records');
  const types = useResource('types', (signal) => session.client.entities.types({ signal }));
  return (
    <>
      <h1>Records</h1>
      <Show resource={types}>
        {(known) => {
          const shown = known.find(({ type }) => type === query.type) ?? known[0];
          if (!shown) return <NoRecords />;
          return (
            <>
              <Types types={known} shown={shown} />
              <Records key={shown.type} session={session} type={shown} words={query.q ?? ''} />
              <Fields type={shown} />
            </>
          );
        }}
      </Show>
    </>
  );
}

function Types({ types, shown }: { types: readonly EntityType[]; shown: EntityType }) {
  return (
    <nav class="row" aria-label="Types of records">
      {types.map(({ type, count }) => (
        <a
          key={type}
          class="button"
          href={link('records', { type })}
          aria-current={type === shown.type ? 'true' : undefined}
        >
          {type}&nbsp;<span class="quiet">{count.toLocaleString('en')}</span>
        </a>
      ))}
    </nav>
  );
}

function Records({ session, type, words }: { session: Session; type: EntityType; words: string }) {
  const typed = useSignal(words);
  const query = useSettled(typed.value);
  useEffect(() => {
    if (query !== words) go(here({ type: type.type, q: query || undefined }), { replace: true });
  }, [query]);
  const limit = query ? FOUND : SHOWN;
  const found = useResource(query, (signal) =>
    session.client.entities.search({ type: type.type, ...(query && { query }), limit }, { signal }),
  );
  return (
    <section aria-label={`Records of the type ${type.type}`}>
      <p class="row">
        <input
          type="search"
          class="wide-search"
          aria-label="Words of a name"
          placeholder={`Find a ${type.type} by name`}
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
      </p>
      <Show resource={found}>
        {(records) => (
          <>
            <p class="quiet" role="status">
              {records.length < limit || records.length === type.count
                ? counted(records.length, 'record')
                : `The first ${records.length} of them; a search finds the others.`}
            </p>
            <ul class="entries columns">
              {records.map(({ entity_id, entity_name, external_uri }) => (
                <li key={entity_id}>
                  <a href={link(`records/${entity_id}`)}>{entity_name}</a>{' '}
                  <span class="quiet">{external_uri}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </section>
  );
}

function Fields({ type }: { type: EntityType }) {
  const rows = fieldRows(type);
  return (
    <section aria-labelledby="fields">
      <h2 id="fields">
        Fields of a {type.type} <span class="quiet">{rows.length}</span>
      </h2>
      <Sheet
        title={`Fields of a ${type.type}`}
        columns={columnsOf(['field', 'kind', 'filled', 'range', 'samples'], rows)}
        rows={rows.map((row, at) => ({ at, row }))}
      />
    </section>
  );
}
