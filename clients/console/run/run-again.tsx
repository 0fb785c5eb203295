// Makes a monitor of a run: the same input again, by the clock.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RunState } from '../../sdk/index.ts';
import { freshKey } from '../fresh-key.ts';
import { ActionForm } from '../parts/action.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { bodyOf } from '../view-models/monitor-text.ts';

interface Props {
  session: Session;
  run: RunState;
  title: string;
}

export function RunAgain(props: Props) {
  if (!allows(props.session, 'monitors:manage') || !allows(props.session, 'runs:create')) return null;
  return <DialogButton text="Run again by the clock">{() => <Form {...props} />}</DialogButton>;
}

/** Every working day at seven, where the user is. */
const CRON = '0 7 * * 1-5';

function Form({ session, run, title }: Props) {
  const name = useSignal(title);
  const cron = useSignal(CRON);
  const timezone = useSignal(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const changedOnly = useSignal(true);
  const idempotencyKey = useRef(freshKey());
  const create = async () => {
    const { id } = await session.client.monitors.create(
      {
        name: name.value,
        run: bodyOf(run),
        on: { cron: cron.value, timezone: timezone.value },
        notify: changedOnly.value ? 'changed' : 'every',
      },
      { idempotencyKey: idempotencyKey.current },
    );
    go(link(`monitors/${id}`));
  };
  const field = (label: string, value: typeof name, hint?: string) => (
    <label>
      {label} {hint && <span class="quiet">{hint}</span>}
      <input
        required
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
          idempotencyKey.current = freshKey();
        }}
      />
    </label>
  );
  return (
    <ActionForm act={create} confirm="Create the monitor" doing="Creating…">
      {field('Name', name)}
      {field('When', cron, 'minute, hour, day, month, weekday')}
      {field('Time zone', timezone)}
      <label>
        <input
          type="checkbox"
          checked={changedOnly.value}
          onChange={({ currentTarget }) => {
            changedOnly.value = currentTarget.checked;
            idempotencyKey.current = freshKey();
          }}
        />{' '}
        Compare each run with the last one, and call the webhook only when they differ
      </label>
    </ActionForm>
  );
}
