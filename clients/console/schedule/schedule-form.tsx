// The form of a monitor: what it runs, when, and where its answers go.
import { useSignal } from '@preact/signals';
import type { CreateMonitor, CreateRun } from '../../sdk/index.ts';
import { useKeyOf } from '../fresh-key.ts';
import { now } from '../now.ts';
import { ActionForm } from '../parts/action.tsx';
import { go, link } from '../router.ts';
import type { Session } from '../session.ts';
import { withWebhook } from '../view-models/monitor-text.ts';
import { nextTimes } from './next-times.ts';
import { firstWhen, ON_CHANGE, triggerOf, type When } from './when.ts';
import { WhenFields } from './when-fields.tsx';

interface Props {
  session: Session;
  name: string;
  /** What it runs; a question is asked for without it. */
  run: CreateRun | undefined;
}

export function ScheduleForm({ session, name, run }: Props) {
  const keyOf = useKeyOf();
  const when = useSignal(firstWhen());
  const create = async (fields: FormData) => {
    const text = (field: string) => String(fields.get(field) ?? '').trim();
    const made = run ?? { input_type: 'query', query: text('question') };
    const body: CreateMonitor = {
      name: text('name'),
      run: withWebhook(made, text('webhook')),
      on: triggerOf(when.peek()),
      notify: fields.has('changed') ? 'changed' : 'every',
    };
    const { id } = await session.client.monitors.create(body, { idempotencyKey: keyOf(body) });
    go(link(`monitors/${id}`));
  };
  return (
    <ActionForm
      act={create}
      confirm="Create the monitor"
      doing="Creating…"
      disabled={!isWhole(when.value, now.value)}
    >
      <label>
        Name <input name="name" required autocomplete="off" defaultValue={name} />
      </label>
      {run === undefined && <Question />}
      <WhenFields session={session} when={when} />
      <label>
        Webhook <span class="quiet">optional: the https address that learns of each run when it ends</span>
        <input name="webhook" type="url" autocomplete="off" defaultValue={run?.config?.callback_url ?? ''} />
      </label>
      <label class="check">
        <input name="changed" type="checkbox" defaultChecked /> Compare each run with the last one, and call
        the webhook only when they differ
      </label>
    </ActionForm>
  );
}

function Question() {
  return (
    <label>
      Question <textarea name="question" required rows={3} />
      <span class="hint">To schedule a plan or a dossier, open one of its runs and choose “Schedule”.</span>
    </label>
  );
}

/** Whether it says when. */
function isWhole(when: When, nowMs: number): boolean {
  return when.choice === ON_CHANGE ? when.types.length > 0 : 'times' in nextTimes(when, nowMs);
}
