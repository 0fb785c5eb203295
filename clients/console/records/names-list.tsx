// The records of a type by name, which costs nothing: for keys and workspaces where a table would take a run.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EntityType } from '../../sdk/index.ts';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { go, here } from '../router.ts';
import type { Session } from '../session.ts';
import { useSettled } from '../settled.ts';
import { counted } from '../view-models/figures.ts';

const SHOWN = 50;

interface Props {
  session: Session;
  type: EntityType;
  words: string;
}

export function NamesList({ session, type, words }: Props) {
  const typed = useSignal(words);
  const query = useSettled(typed.value);
  useEffect(() => {
    if (query !== words) go(here({ q: query || undefined }), { replace: true });
  }, [query]);
  const found = useResource(query, (signal) =>
    session.client.entities.search({ type: type.type, ...(query && { query }), limit: SHOWN }, { signal }),
  );
  return (
    <>
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
              {records.length < SHOWN || records.length === type.count
                ? counted(records.length, 'record')
                : `The first ${records.length} of them; a search finds the others.`}
            </p>
            <ul class="entries columns">
              {records.map(({ entity_id, entity_name, external_uri }) => (
                <li key={entity_id}>
                  <a href={here({ record: `entity=${entity_id}` })}>{entity_name}</a>{' '}
                  <span class="quiet">{external_uri}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </>
  );
}
