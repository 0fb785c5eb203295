// The actions on a run: cancel it, resume it, create a new one from its input, delete it.
import { useSignal } from '@preact/signals';
import { isApiError, type ResumeRun, type Run } from '../../sdk/index.ts';
import { type Action, useAction } from '../action.ts';
import { ActionButton, ActionError } from '../parts/action.tsx';
import { Confirmed } from '../parts/dialog-button.tsx';
import { go, link } from '../router.ts';
import { ScheduleButton } from '../schedule/schedule-button.tsx';
import { allows, type Session } from '../session.ts';
import { inFlight } from '../view-models/run-rows.ts';
import type { LiveRun } from './live-run.ts';

interface Props {
  session: Session;
  live: LiveRun;
}

interface AllProps extends Props {
  /** A query became a plan, which can be edited. */
  hasReading: boolean;
  title: string;
}

export function RunActions({ session, live, hasReading, title }: AllProps) {
  const resuming = useAction();
  const { id, resumable } = live.run.value;
  return (
    <div class="actions">
      {inFlight(live.run.value) && allows(session, 'runs:cancel') && <Cancel session={session} live={live} />}
      {resumable && allows(session, 'runs:create') && (
        <Resume session={session} live={live} action={resuming} />
      )}
      {hasReading && allows(session, 'runs:create') && (
        <a class="button" href={link('new', { from: id, as: 'plan' })}>
          Edit as a plan
        </a>
      )}
      {allows(session, 'runs:create') && (
        <a class="button" href={link('new', { from: id })}>
          New run from this input
        </a>
      )}
      <ScheduleButton session={session} run={live.run.value} title={title} />
      {!inFlight(live.run.value) && allows(session, 'runs:delete') && (
        <Delete session={session} live={live} />
      )}
      <ActionError action={resuming} />
    </div>
  );
}

function Cancel({ session, live }: Props) {
  const cancel = async () => live.take(await session.client.runs.cancel(live.run.peek().id));
  return (
    <Confirmed
      button="Cancel run"
      title="Cancel this run?"
      text="The running step still ends and is billed; no further step starts. A canceled run cannot be resumed."
      confirm="Cancel the run"
      doing="Canceling…"
      act={cancel}
    />
  );
}

function Delete({ session, live }: Props) {
  const remove = async () => {
    await session.client.runs.delete(live.run.peek().id);
    go(link('runs'));
  };
  return (
    <Confirmed
      button="Delete"
      title="Delete this run?"
      text="The run, its events, artifacts, notes and deliveries are gone for good. What it has cost stays counted."
      confirm="Delete the run"
      doing="Deleting…"
      act={remove}
    />
  );
}

/** The limit that a failed run has reached: without a larger one it would soon fail again. */
function reachedLimit({
  errors,
}: Run): { name: keyof NonNullable<ResumeRun['config']>; unit: string } | undefined {
  const error = errors.at(-1);
  if (error?.code === 'cost_threshold_exceeded') return { name: 'max_cost_usd', unit: 'USD' };
  if (error?.code !== 'run_timed_out') return undefined;
  const waited = error.details?.limit === 'start_within_seconds';
  return { name: waited ? 'start_within_seconds' : 'timeout_seconds', unit: 'seconds' };
}

function Resume({ session, live, action }: Props & { action: Action }) {
  const run = live.run.value;
  const limited = reachedLimit(run);
  const limit = useSignal(String(limited ? (run.config[limited.name] ?? 0) * 2 : ''));
  const resume = async () => {
    const body = limited ? { config: { [limited.name]: Number(limit.value) } } : {};
    try {
      live.take(await session.client.runs.resume(run.id, body));
    } catch (error) {
      // The run has changed since it was read.
      if (isApiError(error, 'run_not_resumable')) live.take(await session.client.runs.get(run.id));
      throw error;
    }
  };
  return (
    <>
      {limited && (
        <label>
          New limit, {limited.unit}{' '}
          <input
            inputMode="decimal"
            value={limit.value}
            onInput={(event) => (limit.value = event.currentTarget.value)}
          />
        </label>
      )}
      <ActionButton action={action} act={resume} doing="Resuming…" class="primary">
        Resume
      </ActionButton>
    </>
  );
}
