// One monitor: when it fires, what became of its fires, and what can be done with it.
import type { Fire, Monitor } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { announce } from '../announce.ts';
import { freshKey } from '../fresh-key.ts';
import { ActionButton, ActionError } from '../parts/action.tsx';
import { Confirmed } from '../parts/dialog-button.tsx';
import { BoxedFact } from '../parts/fact.tsx';
import { RowsTable } from '../parts/rows-table.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { type Resource, useResource } from '../resource.ts';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { timeText } from '../view-models/figures.ts';
import { changesText, outcomeText, runText, triggerText } from '../view-models/monitor-text.ts';
import type { PageProps } from './page.ts';

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
            <Fires fires={fires} />
          </>
        )}
      </Show>
    </>
  );
}

function Facts({ monitor }: { monitor: Monitor }) {
  const { status, on, overlap, notify, next_fire_at, key_id } = monitor;
  return (
    <dl class="run-facts">
      <BoxedFact name="Status">{status}</BoxedFact>
      <BoxedFact name="Runs">{runText(monitor)}</BoxedFact>
      <BoxedFact name="When">{triggerText(on)}</BoxedFact>
      <BoxedFact name="Next">{next_fire_at === null ? '–' : timeText(next_fire_at)}</BoxedFact>
      <BoxedFact name="While a run goes on">{overlap}</BoxedFact>
      <BoxedFact name="Notifies">
        {notify === 'changed' ? 'when the answer changes' : 'of every run'}
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
    const { outcome } = await monitors.fire(id, { idempotencyKey: freshKey() });
    await seen.reload();
    announce(`Fired: ${outcome}`);
  };
  const remove = async () => {
    await monitors.delete(id);
    go(link('monitors'));
  };
  return (
    <div class="actions">
      <ActionButton action={action} act={fire} class="primary">
        Fire now
      </ActionButton>
      <ActionButton action={action} act={change}>
        {status === 'active' ? 'Pause' : 'Resume'}
      </ActionButton>
      <Confirmed
        button="Delete"
        title="Delete this monitor?"
        text="It fires no more. Its runs stay."
        confirm="Delete the monitor"
        doing="Deleting…"
        act={remove}
      />
      <ActionError action={action} />
    </div>
  );
}

function Fires({ fires }: { fires: readonly Fire[] }) {
  return (
    <section aria-labelledby="fires">
      <h2 id="fires">Fires</h2>
      {fires.length === 0 ? (
        <p class="quiet">It has not fired yet.</p>
      ) : (
        <RowsTable caption="Fires, newest first" heads={['Outcome', 'Cause', 'Due', 'Changes']}>
          {fires.map((fire) => (
            <tr key={fire.id}>
              <th scope="row">
                {fire.run_id ? (
                  <a href={link(`runs/${fire.run_id}`)}>{outcomeText(fire)}</a>
                ) : (
                  outcomeText(fire)
                )}
              </th>
              <td>{fire.cause}</td>
              <td class="quiet">
                <Ago at={fire.due_at} />
              </td>
              <td>{changesText(fire)}</td>
            </tr>
          ))}
        </RowsTable>
      )}
    </section>
  );
}
