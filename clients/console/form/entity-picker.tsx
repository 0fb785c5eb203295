// Finds a record by name, to refer to it.
import { useSignal } from '@preact/signals';
import type { FoundEntity } from '../../sdk/index.ts';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { useSettled } from '../settled.ts';
import { counted } from '../view-models/figures.ts';
import { idOf } from './field.tsx';
import { useForm } from './run-form.ts';

const SHOWN = 8;

interface Props {
  /** Dotted path of the member. */
  path: string;
  label: string;
  onPick: (entity: FoundEntity) => void;
}

export function EntityPicker({ path, label, onPick }: Props) {
  const form = useForm();
  const typed = useSignal('');
  const query = useSettled(typed.value);
  return (
    <div class="field">
      <label for={idOf(path)}>{label}</label>
      <input
        id={idOf(path)}
        type="search"
        autocomplete="off"
        placeholder="Part of a name"
        aria-invalid={form.issueAt(path) !== undefined}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {query && <Results session={form.session} query={query} onPick={onPick} />}
    </div>
  );
}

function Results({ session, query, onPick }: { session: Session; query: string; onPick: Props['onPick'] }) {
  const found = useResource(query, (signal) =>
    session.client.entities.search({ query, limit: SHOWN }, { signal }),
  );
  return (
    <Show resource={found}>
      {(entities) => (
        <>
          <p class="hint" role="status">
            {entities.length === 0
              ? 'No record has such a name.'
              : `${counted(entities.length, 'record')} found`}
          </p>
          <ul class="results">
            {entities.map((entity) => (
              <li key={entity.entity_id}>
                <button type="button" onClick={() => onPick(entity)}>
                  {entity.entity_name}{' '}
                  <span class="quiet">
                    {[entity.entity_type, entity.external_uri].filter(Boolean).join(' · ')}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Show>
  );
}
