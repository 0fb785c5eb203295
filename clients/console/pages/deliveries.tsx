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
  const failed = useResource(
    'failed',
    async (signal) => await session.client.deliveries.all({ limit: 1, status: 'failed' }, { signal }),
  );
  const action = useAction();
  const redeliverAll = async () => {
    const { redelivered, has_more } = await session.client.deliveries.redeliverAll();
    announce(
      `${counted(redelivered, 'delivery', 'deliveries')} sent again${has_more ? '; more have failed' : ''}`,
    );
    await Promise.all([page.reload(), failed.reload()]);
  };
  const some = failed.loaded.value;
  const anyFailed = some.state === 'ready' && (some.value.data.length > 0 || some.value.next_cursor !== null);
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
          <ActionButton action={action} act={redeliverAll} doing="Sending…" disabled={!anyFailed}>
            Deliver all failed again
          </ActionButton>
        )}
      </div>
      <ActionError action={action} />
      <Show resource={page}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 && <None isFirst={query.cursor === undefined && !status && !next_cursor} />}
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

/** Without any delivery, how to get one. */
function None({ isFirst }: { isFirst: boolean }) {
  if (!isFirst) return <p class="quiet">There is no such delivery on this page.</p>;
  return (
    <p>
      There is no delivery yet. A run with a <code>callback_url</code> sends one when it has succeeded or
      failed: name the address among the options of a new run, or in the schedule of a monitor.{' '}
      <a href="docs/webhooks">How to receive webhooks</a>
    </p>
  );
}
