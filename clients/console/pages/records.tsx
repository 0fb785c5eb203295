// What a workspace knows: its types of records, a table of each, how their values are distributed, and their fields.
import { useSignal } from '@preact/signals';
import type { EntityType } from '../../sdk/index.ts';
import { RecordDrawer } from '../parts/record-drawer.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Show } from '../parts/show.tsx';
import { Distribution } from '../records/distribution.tsx';
import { drawsCredits } from '../records/fetched.ts';
import { ImportFile } from '../records/import-file.tsx';
import { NamesList } from '../records/names-list.tsx';
import { RecordsBrowser } from '../records/records-browser.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import type { Query } from '../view-models/address.ts';
import { columnsOf } from '../view-models/cells.ts';
import { fieldRows } from '../view-models/outline.ts';
import { viewOf } from '../view-models/record-view.ts';
import type { PageProps } from './page.ts';

export function RecordsPage({ session, query }: PageProps) {
  useTitle('Records');
  const types = useResource('types', (signal) => session.client.entities.types({ signal }));
  const imports = useSignal(0);
  const onImported = async () => {
    await types.reload();
    imports.value += 1;
  };
  return (
    <>
      <h1>Records</h1>
      <ImportFile session={session} types={types} onImported={() => void onImported()} />
      <Show resource={types}>
        {(known) => {
          const shown = known.find(({ type }) => type === query.type) ?? known[0];
          if (!shown)
            return <p>This workspace has no records yet. Import a file of yours, then ask about it.</p>;
          return (
            <>
              <Types types={known} shown={shown} />
              <Records
                key={`${shown.type} ${imports.value}`}
                session={session}
                type={shown}
                query={query}
                onChanged={() => types.reload()}
              />
              <Fields type={shown} />
            </>
          );
        }}
      </Show>
      <RecordDrawer session={session} record={query.record} />
    </>
  );
}

function Types({ types, shown }: { types: readonly EntityType[]; shown: EntityType }) {
  return (
    <nav class="row types" aria-label="Types of records">
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

interface RecordsProps {
  session: Session;
  type: EntityType;
  query: Query;
  onChanged: () => Promise<void>;
}

/** A table takes runs: a key without the right to them sees names, and where they cost credits it is asked for. */
function Records({ session, type, query, onChanged }: RecordsProps) {
  const agreed = useSignal(false);
  if (!session.me.value) return null;
  const lacking = (['runs:create', 'artifacts:read'] as const).filter((scope) => !allows(session, scope));
  const view = viewOf(query, type);
  if (lacking.length === 0 && (!drawsCredits(session) || agreed.value))
    return (
      <>
        <section aria-label={`Records of the type ${type.type}`}>
          <RecordsBrowser session={session} type={type} view={view} onChanged={onChanged} />
        </section>
        <Distribution
          session={session}
          type={type}
          view={view}
          chosen={{ field: query.field, by: query.by }}
        />
      </>
    );
  return (
    <section aria-label={`Records of the type ${type.type}`}>
      {lacking.length > 0 ? (
        <p class="quiet">
          A table of all fields needs a key with <code>{lacking.join(' ')}</code>.
        </p>
      ) : (
        <p class="row">
          <button type="button" onClick={() => (agreed.value = true)}>
            Show as a table
          </button>
          <span class="quiet">
            Each search, order and distribution then takes a run of {CREDITS_EACH} credits.
          </span>
        </p>
      )}
      <NamesList session={session} type={type} words={query.q ?? ''} />
    </section>
  );
}

/** Of a run with one fetch step. */
const CREDITS_EACH = 2;

function Fields({ type }: { type: EntityType }) {
  const rows = fieldRows(type);
  return (
    <section aria-labelledby="fields">
      <h2 id="fields">
        Fields of a {type.type} <span class="quiet">{rows.length}</span>
      </h2>
      <Sheet
        title={`Fields of a ${type.type}`}
        isPlain
        columns={columnsOf(['field', 'kind', 'filled', 'range', 'samples'], rows)}
        rows={rows.map((row, at) => ({ at, row }))}
      />
    </section>
  );
}
