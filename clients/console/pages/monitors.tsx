// The monitors of the workspace: what runs again by the clock or on a change.
import type { ListedMonitor } from '../../sdk/index.ts';
import { RowsTable } from '../parts/rows-table.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import { NewMonitorButton } from '../schedule/schedule-button.tsx';
import { useTitle } from '../title.ts';
import { timeText } from '../view-models/figures.ts';
import { outcomeText, triggerText } from '../view-models/monitor-text.ts';
import type { PageProps } from './page.ts';

/** As many as a workspace may have. */
const LISTED_MAX = 100;

export function MonitorsPage({ session }: PageProps) {
  useTitle('Monitors');
  const monitors = useResource('monitors', (signal) =>
    session.client.monitors.list({ limit: LISTED_MAX }, { signal }).then(({ data }) => data),
  );
  return (
    <>
      <h1>Monitors</h1>
      <div class="actions">
        <NewMonitorButton session={session} />
      </div>
      <Show resource={monitors}>
        {(all) =>
          all.length > 0 ? (
            <RowsTable caption="Monitors, newest first" heads={['Monitor', 'When', 'Next', 'Last']}>
              {all.map((monitor) => (
                <Row key={monitor.id} monitor={monitor} />
              ))}
            </RowsTable>
          ) : (
            <p>
              There is no monitor yet. It asks a question or repeats a run by the clock, or when records
              change.
            </p>
          )
        }
      </Show>
    </>
  );
}

function Row({ monitor }: { monitor: ListedMonitor }) {
  const { id, name, on, status, next_fire_at, last_fire } = monitor;
  return (
    <tr>
      <th scope="row">
        <a href={link(`monitors/${id}`)}>{name}</a>
      </th>
      <td>{triggerText(on)}</td>
      <td class="quiet">
        {status === 'paused' ? 'paused' : next_fire_at !== null && timeText(next_fire_at)}
      </td>
      <td class="quiet">
        {last_fire && (
          <>
            {outcomeText(last_fire)} <Ago at={last_fire.fired_at} />
          </>
        )}
      </td>
    </tr>
  );
}
