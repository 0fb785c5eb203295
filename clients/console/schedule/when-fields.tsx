// The fields of when a monitor runs, and the next times that they mean.
import type { Signal } from '@preact/signals';
import { now } from '../now.ts';
import { Choice } from '../parts/choice.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { nextTimes } from './next-times.ts';
import { choices, ON_CHANGE, OTHER, type When, withChoice } from './when.ts';

interface Props {
  session: Session;
  when: Signal<When>;
}

export function WhenFields({ session, when }: Props) {
  const { choice, cron, timezone } = when.value;
  const change = (changed: Partial<When>) => (when.value = { ...when.value, ...changed });
  return (
    <>
      <label>
        When{' '}
        <Choice
          options={choices}
          value={choice}
          onChoose={(chosen) => (when.value = withChoice(when.value, chosen))}
        />
      </label>
      {choice === OTHER && (
        <label>
          Cron pattern <span class="quiet">minute, hour, day, month, weekday</span>
          <input
            class="code"
            required
            autocomplete="off"
            spellcheck={false}
            value={cron}
            onInput={({ currentTarget }) => change({ cron: currentTarget.value })}
          />
        </label>
      )}
      {choice === ON_CHANGE ? (
        <Types session={session} when={when} />
      ) : (
        <Zone value={timezone} set={change} />
      )}
      {choice !== ON_CHANGE && <NextTimes when={when.value} />}
    </>
  );
}

function Zone({ value, set }: { value: string; set: (changed: Partial<When>) => void }) {
  return (
    <label>
      Time zone{' '}
      <input
        required
        autocomplete="off"
        spellcheck={false}
        list="zones"
        value={value}
        onInput={({ currentTarget }) => set({ timezone: currentTarget.value.trim() })}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </label>
  );
}

function NextTimes({ when: { cron, timezone } }: { when: When }) {
  const next = nextTimes({ cron, timezone }, now.value);
  if ('problem' in next)
    return (
      <p class="refused" role="status">
        {next.problem}
      </p>
    );
  return (
    <section aria-label="Next times" role="status">
      <p class="quiet">Next times</p>
      <ol class="next-times">
        {next.times.map((time) => (
          <li key={time}>{time}</li>
        ))}
      </ol>
    </section>
  );
}

/** The types of the workspace, of which a change of any record counts. */
function Types({ session, when }: Props) {
  const found = useResource('types', (signal) => session.client.entities.types({ signal }));
  const { types } = when.value;
  const toggle = (type: string) => {
    const others = types.filter((one) => one !== type);
    when.value = { ...when.value, types: types.includes(type) ? others : [...types, type] };
  };
  return (
    <fieldset>
      <legend>Records of these types</legend>
      <Show resource={found}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">There are no records yet.</p>
          ) : (
            all.map(({ type, count }) => (
              <label class="check" key={type}>
                <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} /> {type}{' '}
                <span class="quiet">{count.toLocaleString('en')}</span>
              </label>
            ))
          )
        }
      </Show>
    </fieldset>
  );
}
