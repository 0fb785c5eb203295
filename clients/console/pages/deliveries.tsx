// The webhooks of all runs, by state, and redelivery of the failed ones.
import type { WorkspaceDelivery } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { announce } from '../announce.ts';
import { ActionButton, ActionError } from '../parts/action.tsx';
import { Choice } from '../parts/choice.tsx';
import { DeliveryEntry } from '../parts/delivery-entry.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
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
          <Choice
            options={states.map((one) => [one, one])}
            all="all"
            value={status}
            onChoose={(chosen) => go(here({ status: chosen, cursor: undefined }))}
          />
        </label>
        {allows(session, 'runs:create') && (
          <ActionButton action={action} act={redeliverAll} doing="Sending…">
            Deliver all failed again
          </ActionButton>
        )}
      </div>
      <ActionError action={action} />
      <Show resource={page}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <p class="quiet">No delivery {next_cursor ? 'on this page' : 'yet'}.</p>}
            <Entries session={session} deliveries={data} onSent={page.reload} />
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

interface EntriesProps {
  session: Session;
  deliveries: readonly WorkspaceDelivery[];
  onSent: () => Promise<void>;
}

function Entries({ session, deliveries, onSent }: EntriesProps) {
  return (
    <ul class="entries">
      {deliveries.map((one) => (
        <DeliveryEntry key={one.event_id} session={session} runId={one.run_id} delivery={one} onSent={onSent}>
          <a href={link(`runs/${one.run_id}`)}>
            <Ago at={one.created_at} />
          </a>{' '}
        </DeliveryEntry>
      ))}
    </ul>
  );
}
