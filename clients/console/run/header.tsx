// A run's title, status and cost so far.
import { durationText } from '../../duration-text.ts';
import type { ConnectionState, RunState } from '../../sdk/index.ts';
import { now } from '../now.ts';
import { Badge } from '../parts/badge.tsx';
import { BoxedFact } from '../parts/fact.tsx';
import { Ago } from '../parts/time.tsx';
import { link } from '../router.ts';
import { counted, moneyText, timeText } from '../view-models/figures.ts';
import { type JobWait, jobWaitOf } from '../view-models/job-text.ts';
import { durationOf } from '../view-models/run-rows.ts';
import { statusNote } from '../view-models/run-text.ts';

interface HeaderProps {
  run: RunState;
  title: string;
  connection: ConnectionState;
}

export function RunHeader({ run, title, connection }: HeaderProps) {
  const note = statusNote(run);
  const wait = jobWaitOf(run.waiting);
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('runs')}>Runs</a>
      </nav>
      <div class="heading">
        <h1>{title}</h1>
        <p class="row">
          <Badge status={run.status} />
          {note && <span>{note}</span>}
          {wait && <WaitingForJob wait={wait} />}
          <Connection state={connection} />
        </p>
      </div>
    </>
  );
}

/** For whom, since when and until when, with a way to the question. */
function WaitingForJob({ wait: { kind, source, jobId, since, until } }: { wait: JobWait }) {
  return (
    <span>
      Waiting for <strong>{source}</strong> since {timeText(since)}
      {until !== undefined && `, until ${timeText(until)}`}.{' '}
      {jobId !== undefined && (
        <a href={link(`jobs/${encodeURIComponent(jobId)}`)}>
          {kind === 'person' ? 'Open the question' : 'Open the job'}
        </a>
      )}
    </span>
  );
}

export function RunFacts({ run }: { run: RunState }) {
  return (
    <dl class="run-facts">
      <Times run={run} />
      <Costs run={run} />
      {run.rerun_of && (
        <BoxedFact name="Rerun of">
          <a href={link(`runs/${run.rerun_of.run_id}`)}>
            another run, from step {run.rerun_of.step_index + 1}
          </a>
        </BoxedFact>
      )}
      {run.resume_count > 0 && <BoxedFact name="Resumed">{counted(run.resume_count, 'time')}</BoxedFact>}
      {Object.entries(run.metadata ?? {}).map(([name, value]) => (
        <BoxedFact key={name} name={name}>
          {value}
        </BoxedFact>
      ))}
      <BoxedFact name="Run">
        <code title={`Request ${run.request_id}`}>{run.id}</code>
      </BoxedFact>
    </dl>
  );
}

function Times({ run }: { run: RunState }) {
  const { created_at, started_at, completed_at } = run;
  return (
    <>
      <BoxedFact name="Created">
        <Ago at={created_at} />
      </BoxedFact>
      <BoxedFact name={completed_at === undefined ? 'So far' : 'Took'}>
        {durationText(durationOf(run, completed_at === undefined ? now.value : 0))}{' '}
        {started_at !== undefined && (
          <span class="quiet">{durationText(started_at - created_at)} of it waiting</span>
        )}
      </BoxedFact>
    </>
  );
}

function Costs({ run: { usage } }: { run: RunState }) {
  const { cost_usd, credits_at_most, credits_used, calls, unpriced_calls, simulated, models, jobs } = usage;
  return (
    <>
      <BoxedFact name="Cost">
        {moneyText(cost_usd)}{' '}
        <span class="quiet">
          {simulated && 'simulated, '}
          {counted(calls, 'model call')}
          {jobs && `, ${counted(jobs.count, 'job')} for ${moneyText(jobs.cost_usd)}`}
        </span>
        {unpriced_calls > 0 && <span class="quiet">, {unpriced_calls} without a price</span>}
      </BoxedFact>
      {models.length > 1 && (
        <BoxedFact name="Models">
          {models
            .map((one) => `${one.model} ${moneyText(one.cost_usd)}, ${counted(one.calls, 'call')}`)
            .join('; ')}
        </BoxedFact>
      )}
      {credits_at_most !== undefined && (
        <BoxedFact name="Credits">
          {credits_used == null ? `at most ${credits_at_most}` : credits_used}
        </BoxedFact>
      )}
    </>
  );
}

const connections: Partial<Record<ConnectionState, string>> = {
  open: 'live',
  polling: 'polling',
  reconnecting: 'reconnecting',
};

/** Unobtrusive: it shows how current the page is, not how the run is doing. */
function Connection({ state }: { state: ConnectionState }) {
  const text = connections[state];
  return text ? <span class={`connection is-${state}`}>{text}</span> : null;
}
