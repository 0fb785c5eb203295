// The webhooks of a run with their attempts, and redelivery.
import { useEffect } from 'preact/hooks';
import type { Delivery, RunState } from '../../sdk/index.ts';
import { DeliveryEntry } from '../parts/delivery-entry.tsx';
import { Show } from '../parts/show.tsx';
import { type Resource, useResource } from '../resource.ts';
import type { Session } from '../session.ts';

const ASK_AGAIN_MS = 3000;

/** Only runs with a callback have any. */
export function Deliveries({ session, run }: { session: Session; run: RunState }) {
  return run.config.callback_url === undefined ? null : <DeliveryList session={session} run={run} />;
}

function DeliveryList({ session, run }: { session: Session; run: RunState }) {
  const deliveries = useResource(`${run.id} ${run.status}`, (signal) =>
    session.client.deliveries.list(run.id, { signal }),
  );
  useReloadWhilePending(deliveries);
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Webhook deliveries</h2>
      <Show resource={deliveries}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">The webhook is sent when the run has succeeded or failed.</p>
          ) : (
            <ul class="entries">
              {all.map((one) => (
                <DeliveryEntry
                  key={one.event_id}
                  session={session}
                  runId={run.id}
                  delivery={one}
                  onSent={deliveries.reload}
                />
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

function useReloadWhilePending(deliveries: Resource<Delivery[]>) {
  const loaded = deliveries.loaded.value;
  const pending = loaded.state === 'ready' && loaded.value.some(({ status }) => status === 'pending');
  useEffect(() => {
    if (!pending) return;
    const timer = setInterval(() => void deliveries.reload(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [pending]);
}
