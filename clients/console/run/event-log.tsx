// The raw log of a run: filtered by type, copied as JSON.
import { useSignal } from '@preact/signals';
import type { RunEvent } from '../../sdk/index.ts';
import { Choice } from '../parts/choice.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { timeText } from '../view-models/figures.ts';

/** More are shown on demand: a log may have thousands. */
const SHOWN_AT_ONCE = 200;

export function EventLog({ events }: { events: readonly RunEvent[] }) {
  const open = useSignal(false);
  return (
    <section aria-labelledby="events">
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>
          <h2 id="events">Events</h2> <span class="quiet">{events.length.toLocaleString('en')}</span>
        </summary>
        {open.value && <Events events={events} />}
      </details>
    </section>
  );
}

function Events({ events }: { events: readonly RunEvent[] }) {
  const type = useSignal('');
  const most = useSignal(SHOWN_AT_ONCE);
  const types = [...new Set(events.map(({ event_type }) => event_type))].sort();
  const found = type.value === '' ? events : events.filter(({ event_type }) => event_type === type.value);
  return (
    <>
      <p class="row">
        <label>
          Type{' '}
          <Choice
            options={types.map((one) => [one, one])}
            all="all"
            value={type.value}
            onChoose={(chosen) => (type.value = chosen)}
          />
        </label>
        <CopyButton text={() => JSON.stringify(found, undefined, 2)}>Copy as JSON</CopyButton>
      </p>
      <ol class="events">
        {found.slice(0, most.value).map((event) => (
          <li key={event.event_id}>
            <span class="quiet">{event.sequence}</span> <strong>{event.event_type}</strong>{' '}
            <time class="quiet" dateTime={new Date(event.occurred_at).toISOString()}>
              {timeText(event.occurred_at)}
            </time>
            <code>{JSON.stringify(event.data)}</code>
          </li>
        ))}
      </ol>
      {found.length > most.value && (
        <button type="button" onClick={() => (most.value += SHOWN_AT_ONCE)}>
          Show more
        </button>
      )}
    </>
  );
}
