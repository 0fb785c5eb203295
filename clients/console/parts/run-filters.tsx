// The filters of the run list. The address contains them all.
import { useSignal } from '@preact/signals';
import { go, link } from '../router.ts';
import type { Query } from '../view-models/address.ts';
import {
  filtersOf,
  kinds,
  readFind,
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
  return (
    <section class="filters" aria-label="Filters">
      <nav class="row" aria-label="Saved filters">
        {shortcuts.map((one) => (
          <a
            key={one.text}
            class="button"
            href={link('runs', one.query)}
            aria-current={sameFilters(one.query, query) ? 'true' : undefined}
          >
            {one.text}
          </a>
        ))}
      </nav>
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
      <div class="row">
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
        <Find metadata={query.metadata} onFind={(metadata) => set({ metadata })} />
      </div>
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

interface FindProps {
  metadata: string | undefined;
  onFind: (metadata: string | undefined) => void;
}

/** Opens a run by its id, or filters by a metadata pair; anything else is an error. */
function Find({ metadata, onFind }: FindProps) {
  const refused = useSignal(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const text = String(new FormData(event.currentTarget).get('find'));
    const found = readFind(text);
    refused.value = !found && text.trim() !== '';
    if (found && 'run' in found) go(link(`runs/${found.run}`));
    else if (!refused.value) onFind(found?.metadata);
  };
  return (
    <form class="find" onSubmit={submit}>
      <input
        id="find"
        name="find"
        type="search"
        key={metadata}
        defaultValue={metadata}
        placeholder="Run id, or metadata key:value"
        aria-label="Find by run id, or by metadata as key:value"
        aria-invalid={refused.value}
        aria-describedby={refused.value ? 'find-refused' : undefined}
      />
      <button type="submit">Find</button>
      {refused.value && (
        <span id="find-refused" class="refused" role="alert">
          Neither a run id nor metadata as key:value.
        </span>
      )}
    </form>
  );
}
