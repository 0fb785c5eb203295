// The webhooks of all runs, by state, and redelivery of the failed ones.
import { useAction } from '../action.ts';
import { announce } from '../announce.ts';
import { DeliveryEntry } from '../parts/delivery-entry.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import { allows } from '../session.ts';
import { useTitle } from '../title.ts';
import { counted } from '../view-models/figures.ts';
import type { PageProps } from './page.ts';

const SHOWN = 50;
const states = ['failed', 'pending', 'delivered'] as const;

export function DeliveriesPage({ session, query }: PageProps) {
  useTitle('Deliveries');
  const status = states.find((one) => one === query.status);
  const page = useResource(
    `${status} ${query.cursor}`,
    async (signal) =>
      await session.client.deliveries.all(
        { limit: SHOWN, ...(status && { status }), ...(query.cursor && { cursor: query.cursor }) },
        { signal },
      ),
  );
  const action = useAction();
  const redeliverAll = async () => {
    const { redelivered, has_more } = await session.client.deliveries.redeliverAll();
    announce(
      `${counted(redelivered, 'delivery', 'deliveries')} sent again${has_more ? '; more have failed' : ''}`,
    );
    await page.reload();
  };
  return (
    <>
      <h1>Webhook deliveries</h1>
      <div class="row">
        <label>
          State{' '}
          <select
            value={status ?? ''}
            onChange={({ currentTarget: { value } }) => go(here({ status: value, cursor: undefined }))}
          >
            <option value="">all</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        {allows(session, 'runs:create') && (
          <button type="button" disabled={action.pending.value} onClick={() => action.start(redeliverAll)}>
            {action.pending.value ? 'Sending…' : 'Deliver all failed again'}
          </button>
        )}
      </div>
      {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
      <Show resource={page}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <p class="quiet">No delivery {next_cursor ? 'on this page' : 'yet'}.</p>}
            <ul class="entries">
              {data.map((one) => (
                <DeliveryEntry
                  key={one.event_id}
                  session={session}
                  runId={one.run_id}
                  delivery={one}
                  onSent={page.reload}
                >
                  <a href={link(`runs/${one.run_id}`)}>
                    <Ago at={one.created_at} />
                  </a>{' '}
                </DeliveryEntry>
              ))}
            </ul>
            {next_cursor && (
              <button type="button" onClick={() => go(here({ cursor: next_cursor }))}>
                Older deliveries
              </button>
            )}
          </>
        )}
      </Show>
    </>
  );
}
