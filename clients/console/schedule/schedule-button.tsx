// Makes a monitor: of a run, the same input again, or of a question. Its form is loaded when it is opened.
import type { RunState } from '../../sdk/index.ts';
import { DialogButton } from '../parts/dialog-button.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { allows, type Session } from '../session.ts';
import { bodyOf } from '../view-models/monitor-text.ts';

/** Whether the key may make monitors. */
const maySchedule = (session: Session): boolean =>
  allows(session, 'monitors:manage') && allows(session, 'runs:create');

interface Props {
  session: Session;
  run: RunState;
  title: string;
}

/** On the page of a run. */
export function ScheduleButton({ session, run, title }: Props) {
  if (!maySchedule(session)) return null;
  return (
    <DialogButton text="Schedule">{() => <Form session={session} name={title} run={run} />}</DialogButton>
  );
}

/** On the page of the monitors. */
export function NewMonitorButton({ session }: { session: Session }) {
  if (!maySchedule(session)) return null;
  return (
    <DialogButton text="New monitor" class="primary">
      {() => <Form session={session} />}
    </DialogButton>
  );
}

function Form({ session, name = '', run }: { session: Session; name?: string; run?: RunState }) {
  const form = useResource('schedule', async () => (await import('./schedule-form.tsx')).ScheduleForm);
  return (
    <Show resource={form}>
      {(ScheduleForm) => <ScheduleForm session={session} name={name} run={run && bodyOf(run)} />}
    </Show>
  );
}
