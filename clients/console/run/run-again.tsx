// Makes a monitor of a run: the same input again, by the clock.
import type { CreateMonitor, RunState } from '../../sdk/index.ts';
import { useKeyOf } from '../fresh-key.ts';
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
  const keyOf = useKeyOf();
  const create = async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name));
    const body: CreateMonitor = {
      name: text('name'),
      run: bodyOf(run),
      on: { cron: text('cron'), timezone: text('timezone') },
      notify: fields.has('changed') ? 'changed' : 'every',
    };
    const { id } = await session.client.monitors.create(body, { idempotencyKey: keyOf(body) });
    go(link(`monitors/${id}`));
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <ActionForm act={create} confirm="Create the monitor" doing="Creating…">
      <label>
        Name <input name="name" required defaultValue={title} />
      </label>
      <label>
        When <span class="quiet">minute, hour, day, month, weekday</span>
        <input name="cron" required defaultValue={CRON} />
      </label>
      <label>
        Time zone <input name="timezone" required defaultValue={timeZone} />
      </label>
      <label>
        <input name="changed" type="checkbox" defaultChecked /> Compare each run with the last one, and call
        the webhook only when they differ
      </label>
    </ActionForm>
  );
}
