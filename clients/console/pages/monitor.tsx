// One monitor: when it runs, what became of its due times, and what can be done with it.
import type { Fire, Monitor } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { announce } from '../announce.ts';
import { freshKey } from '../fresh-key.ts';
import { ActionButton, ActionError } from '../parts/action.tsx';
import { Confirmed } from '../parts/dialog-button.tsx';
import { BoxedFact } from '../parts/fact.tsx';
import { HistoryStrip } from '../parts/history-strip.tsx';
import { RowsTable } from '../parts/rows-table.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { type Resource, useResource } from '../resource.ts';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { timeText } from '../view-models/figures.ts';
import {
  causeText,
  changesText,
  outcomeText,
  overlapTexts,
  runText,
  triggerText,
} from '../view-models/monitor-text.ts';
import type { PageProps } from './page.ts';

/** The newest of its due times. */
const FIRES_SHOWN = 50;

interface Seen {
  monitor: Monitor;
  fires: readonly Fire[];
}

export function MonitorPage({ session, id }: PageProps) {
  const { monitors } = session.client;
  const seen = useResource(id, async (signal): Promise<Seen> => {
    const [monitor, fires] = await Promise.all([
      monitors.get(id, { signal }),
      monitors.fires(id, { limit: FIRES_SHOWN }, { signal }),
    ]);
    return { monitor, fires: fires.data };
  });
  const loaded = seen.loaded.value;
  const title = loaded.state === 'ready' ? loaded.value.monitor.name : 'Monitor';
  useTitle(title);
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('monitors')}>Monitors</a>
      </nav>
      <h1>{title}</h1>
      <Show resource={seen}>
        {({ monitor, fires }) => (
          <>
            <Facts monitor={monitor} />
            {allows(session, 'monitors:manage') && (
              <Actions session={session} monitor={monitor} seen={seen} />
            )}
            <History fires={fires} />
          </>
        )}
      </Show>
    </>
  );
}

function Facts({ monitor }: { monitor: Monitor }) {
  const { status, on, run, overlap, notify, next_fire_at, key_id } = monitor;
  return (
    <dl class="run-facts">
      <BoxedFact name="Status">{status}</BoxedFact>
      <BoxedFact name="Runs">{runText(monitor)}</BoxedFact>
      <BoxedFact name="When">{triggerText(on)}</BoxedFact>
      <BoxedFact name="Next">{next_fire_at === null ? '–' : timeText(next_fire_at)}</BoxedFact>
      <BoxedFact name="While the last run goes on">{overlapTexts[overlap]}</BoxedFact>
      <BoxedFact name="Webhook">
        {run.config?.callback_url ?? 'none'}{' '}
        {run.config?.callback_url !== undefined && (
          <span class="quiet">{notify === 'changed' ? 'when the answer changes' : 'after every run'}</span>
        )}
      </BoxedFact>
      <BoxedFact name="Key">{key_id}</BoxedFact>
    </dl>
  );
}

interface ActionsProps {
  session: Session;
  monitor: Monitor;
  seen: Resource<Seen>;
}

function Actions({ session, monitor, seen }: ActionsProps) {
  const action = useAction();
  const { monitors } = session.client;
  const { id, status } = monitor;
  const other = status === 'active' ? 'paused' : 'active';
  const change = async () => {
    await monitors.update(id, { status: other });
    await seen.reload();
    announce(`The monitor is ${other}`);
  };
  const fire = async () => {
    const fired = await monitors.fire(id, { idempotencyKey: freshKey() });
    await seen.reload();
    announce(`The monitor: ${outcomeText(fired)}`);
  };
  const remove = async () => {
    await monitors.delete(id);
    go(link('monitors'));
  };
  return (
    <div class="actions">
      <ActionButton action={action} act={fire} class="primary">
        Run now
      </ActionButton>
      <ActionButton action={action} act={change}>
        {status === 'active' ? 'Pause' : 'Resume'}
      </ActionButton>
      <Confirmed
        button="Delete"
        title="Delete this monitor?"
        text="It runs no more. The runs that it made stay."
        confirm="Delete the monitor"
        doing="Deleting…"
        act={remove}
      />
      <ActionError action={action} />
    </div>
  );
}

function History({ fires }: { fires: readonly Fire[] }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {fires.length === 0 ? (
        <p class="quiet">It has not run yet.</p>
      ) : (
        <>
          <HistoryStrip fires={fires} />
          <RowsTable caption="Due times, newest first" heads={['What happened', 'Why', 'Due', 'Changes']}>
            {fires.map((fire) => (
              <tr key={fire.id}>
                <th scope="row">
                  {fire.run_id ? (
                    <a href={link(`runs/${fire.run_id}`)}>{outcomeText(fire)}</a>
                  ) : (
                    outcomeText(fire)
                  )}
                </th>
                <td>{causeText(fire)}</td>
                <td class="quiet">
                  <Ago at={fire.due_at} />
                </td>
                <td>{changesText(fire)}</td>
              </tr>
            ))}
          </RowsTable>
        </>
      )}
    </section>
  );
}
