// One webhook with its attempts, and its redelivery.
import type { ComponentChildren } from 'preact';
import { durationText } from '../../duration-text.ts';
import type { Delivery } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import type { Session } from '../session.ts';
import { counted, timeText } from '../view-models/figures.ts';
import { ActionButton, ActionError } from './action.tsx';

interface Props {
  session: Session;
  runId: string;
  delivery: Delivery;
  /** Called when another attempt was requested. */
  onSent: () => Promise<void>;
  /** Before the name of the event. */
  children?: ComponentChildren;
}

export function DeliveryEntry({ session, runId, delivery, onSent, children }: Props) {
  const { event_id, event_type, url, status, attempts } = delivery;
  const action = useAction();
  const redeliver = async () => {
    await session.client.deliveries.redeliver(runId, event_id);
    await onSent();
  };
  return (
    <li>
      <p class="row">
        {children}
        <strong>{event_type}</strong> <span class={`badge is-${badgeOf[status]}`}>{status}</span>{' '}
        <code>{url}</code>
        <ActionButton action={action} act={redeliver} doing="Sending…" disabled={status === 'pending'}>
          Deliver again
        </ActionButton>
      </p>
      <ActionError action={action} />
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
