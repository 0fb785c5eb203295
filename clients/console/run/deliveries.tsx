// The webhooks of a run with their attempts, and redelivery.
import { useEffect } from 'preact/hooks';
import { durationText } from '../../duration-text.ts';
import type { Delivery, RunState } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Show } from '../parts/show.tsx';
import { type Resource, useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { counted, timeText } from '../view-models/figures.ts';

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
                <Delivered
                  key={one.event_id}
                  session={session}
                  runId={run.id}
                  delivery={one}
                  all={deliveries}
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

interface DeliveredProps {
  session: Session;
  runId: string;
  delivery: Delivery;
  all: Resource<Delivery[]>;
}

function Delivered({ session, runId, delivery, all }: DeliveredProps) {
  const { event_id, event_type, url, status, attempts } = delivery;
  const action = useAction();
  const redeliver = async () => {
    await session.client.deliveries.redeliver(runId, event_id);
    await all.reload();
  };
  return (
    <li>
      <p class="row">
        <strong>{event_type}</strong> <span class={`badge is-${badgeOf[status]}`}>{status}</span>{' '}
        <code>{url}</code>
        <button
          type="button"
          disabled={action.pending.value || status === 'pending'}
          onClick={() => action.start(redeliver)}
        >
          {action.pending.value ? 'Sending…' : 'Deliver again'}
        </button>
      </p>
      {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
      <details>
        <summary>{counted(attempts.length, 'attempt')}</summary>
        <ol>
          {attempts.map(({ at, status_code, error: why, duration_ms }) => (
            <li key={at}>
              {timeText(at)}: {[status_code, why].filter((one) => one !== undefined).join(' ')} after{' '}
              {durationText(duration_ms)}
            </li>
          ))}
        </ol>
      </details>
    </li>
  );
}

const badgeOf = { pending: 'pending', delivered: 'succeeded', failed: 'failed' } as const;
