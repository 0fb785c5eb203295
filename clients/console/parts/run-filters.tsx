// The filters of the run list in one row; the rarer ones on request. The address contains them all.
import { useSignal } from '@preact/signals';
import { go, link } from '../router.ts';
import type { Query } from '../view-models/address.ts';
import {
  filtersOf,
  isMetadata,
  isRunId,
  kinds,
  sameFilters,
  shortcuts,
  sinces,
  statuses,
  toggled,
} from '../view-models/run-filters.ts';
import { Choice } from './choice.tsx';

interface Props {
  query: Query;
}

export function RunFilters({ query }: Props) {
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    go(link('runs', filtersOf({ ...query, ...change })));
  const isShortcut = shortcuts.some((one) => sameFilters(one.query, { ...query, q: '' }));
  const chosen = useSignal<boolean | undefined>(undefined);
  const isOpen = chosen.value ?? !isShortcut;
  return (
    <section class="filters" aria-label="Filters">
      <div class="row">
        <Shortcuts query={query} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-pressed={!isShortcut}
          onClick={() => (chosen.value = !isOpen)}
        >
          Filters
        </button>
        <Find words={query.q} onFind={(q) => set({ q })} />
      </div>
      {isOpen && (
        <div class="row more-filters">
          <Statuses chosen={query.status} onChoose={(status) => set({ status })} />
          <Choice
            aria-label="Kind"
            all="Any kind"
            options={Object.entries(kinds)}
            value={query.type}
            onChoose={(type) => set({ type })}
          />
          <Choice
            aria-label="Created"
            all="Any time"
            options={Object.entries(sinces)}
            value={query.since}
            onChoose={(since) => set({ since })}
          />
          <Metadata pair={query.metadata} onFind={(metadata) => set({ metadata })} />
        </div>
      )}
    </section>
  );
}

function Shortcuts({ query }: Props) {
  return (
    <nav class="row" aria-label="Saved filters">
      {shortcuts.map((one) => (
        <a
          key={one.text}
          class="button"
          href={link('runs', { ...one.query, q: query.q })}
          aria-current={sameFilters(one.query, { ...query, q: '' }) ? 'true' : undefined}
        >
          {one.text}
        </a>
      ))}
    </nav>
  );
}

interface StatusesProps {
  chosen: string | undefined;
  onChoose: (chosen: string | undefined) => void;
}

function Statuses({ chosen = '', onChoose }: StatusesProps) {
  return (
    <fieldset class="row">
      <legend class="unseen">Status</legend>
      {statuses.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={chosen.split(',').includes(status)}
          onClick={() => onChoose(toggled(chosen, status))}
        >
          {status}
        </button>
      ))}
    </fieldset>
  );
}

/** The text of the form's only field. */
function submitted(event: SubmitEvent, name: string): string {
  event.preventDefault();
  const { currentTarget: form } = event;
  return form instanceof HTMLFormElement ? String(new FormData(form).get(name)).trim() : '';
}

interface FindProps {
  words: string | undefined;
  onFind: (words: string | undefined) => void;
}

/** Opens a run by its id, or finds runs by the words of their titles. */
function Find({ words, onFind }: FindProps) {
  const submit = (event: SubmitEvent) => {
    const text = submitted(event, 'find');
    if (isRunId(text)) go(link(`runs/${text}`));
    else onFind(text || undefined);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <input
          id="find"
          name="find"
          type="search"
          key={words}
          defaultValue={words}
          placeholder="Words of a title, or a run id"
          aria-label="Find by title or run id"
        />
      </form>
    </search>
  );
}

interface MetadataProps {
  pair: string | undefined;
  onFind: (pair: string | undefined) => void;
}

function Metadata({ pair, onFind }: MetadataProps) {
  const refused = useSignal(false);
  const submit = (event: SubmitEvent) => {
    const text = submitted(event, 'metadata');
    refused.value = text !== '' && !isMetadata(text);
    if (!refused.value) onFind(text || undefined);
  };
  return (
    <form onSubmit={submit}>
      <input
        name="metadata"
        key={pair}
        defaultValue={pair}
        placeholder="Metadata, as key:value"
        aria-label="Metadata, as key:value"
        aria-invalid={refused.value}
        aria-describedby={refused.value ? 'metadata-refused' : undefined}
      />
      {refused.value && (
        <p id="metadata-refused" class="refused" role="alert">
          Write a key, a colon and a value.
        </p>
      )}
    </form>
  );
}
