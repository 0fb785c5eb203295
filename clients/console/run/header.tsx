// A run's title, status and cost so far.
import type { ComponentChildren } from 'preact';
import { durationText } from '../../duration-text.ts';
import type { ConnectionState, RunState } from '../../sdk/index.ts';
import { now } from '../now.ts';
import { Badge } from '../parts/badge.tsx';
import { Ago } from '../parts/time.tsx';
import { link } from '../router.ts';
import { counted, moneyText } from '../view-models/figures.ts';
import { durationOf } from '../view-models/run-rows.ts';
import { statusNote } from '../view-models/run-text.ts';

interface HeaderProps {
  run: RunState;
  title: string;
  connection: ConnectionState;
}

export function RunHeader({ run, title, connection }: HeaderProps) {
  const note = statusNote(run);
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
          <Connection state={connection} />
        </p>
      </div>
    </>
  );
}

export function RunFacts({ run }: { run: RunState }) {
  return (
    <dl class="run-facts">
      <Times run={run} />
      <Costs run={run} />
      {run.rerun_of && (
        <Fact name="Rerun of">
          <a href={link(`runs/${run.rerun_of.run_id}`)}>
            another run, from step {run.rerun_of.step_index + 1}
          </a>
        </Fact>
      )}
      {run.resume_count > 0 && <Fact name="Resumed">{counted(run.resume_count, 'time')}</Fact>}
      {Object.entries(run.metadata ?? {}).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name="Run">
        <code title={`Request ${run.request_id}`}>{run.id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Times({ run }: { run: RunState }) {
  const { created_at, started_at, completed_at } = run;
  return (
    <>
      <Fact name="Created">
        <Ago at={created_at} />
      </Fact>
      <Fact name={completed_at === undefined ? 'So far' : 'Took'}>
        {durationText(durationOf(run, completed_at === undefined ? now.value : 0))}{' '}
        {started_at !== undefined && (
          <span class="quiet">{durationText(started_at - created_at)} of it waiting</span>
        )}
      </Fact>
    </>
  );
}

function Costs({ run: { usage } }: { run: RunState }) {
  const { cost_usd, credits_at_most, credits_used, calls, unpriced_calls, simulated, models } = usage;
  return (
    <>
      <Fact name="Cost">
        {moneyText(cost_usd)}{' '}
        <span class="quiet">
          {simulated && 'simulated, '}
          {counted(calls, 'model call')}
        </span>
        {unpriced_calls > 0 && <span class="quiet">, {unpriced_calls} without a price</span>}
      </Fact>
      {models.length > 1 && (
        <Fact name="Models">
          {models
            .map((one) => `${one.model} ${moneyText(one.cost_usd)}, ${counted(one.calls, 'call')}`)
            .join('; ')}
        </Fact>
      )}
      {credits_at_most !== undefined && (
        <Fact name="Credits">{credits_used == null ? `at most ${credits_at_most}` : credits_used}</Fact>
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
