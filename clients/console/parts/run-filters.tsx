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
          <fieldset class="row">
            <legend class="unseen">Status</legend>
            {statuses.map((status) => (
              <button
                key={status}
                type="button"
                aria-pressed={(query.status ?? '').split(',').includes(status)}
                onClick={() => set({ status: toggled(query.status, status) })}
              >
                {status}
              </button>
            ))}
          </fieldset>
          <Choice
            name="Kind"
            all="Any kind"
            options={kinds}
            value={query.type}
            onChoose={(type) => set({ type })}
          />
          <Choice
            name="Created"
            all="Any time"
            options={sinces}
            value={query.since}
            onChoose={(since) => set({ since })}
          />
          <Metadata pair={query.metadata} onFind={(metadata) => set({ metadata })} />
        </div>
      )}
    </section>
  );
}

interface ChoiceProps {
  name: string;
  /** The label of the empty choice. */
  all: string;
  options: Readonly<Record<string, string>>;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}

function Choice({ name, all, options, value = '', onChoose }: ChoiceProps) {
  return (
    <select
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
      {value && !Object.hasOwn(options, value) && <option value={value}>{value}</option>}
    </select>
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
