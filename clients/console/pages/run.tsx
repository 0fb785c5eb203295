// One run: its live state and its actions.
import { isApiError } from '../../sdk/index.ts';
import { ErrorNote, MoreAbout } from '../parts/error-note.tsx';
import { RecordDrawer } from '../parts/record-drawer.tsx';
import { Show } from '../parts/show.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useResource } from '../resource.ts';
import { RunActions } from '../run/actions.tsx';
import { Deliveries } from '../run/deliveries.tsx';
import { EventLog } from '../run/event-log.tsx';
import { RunFacts, RunHeader } from '../run/header.tsx';
import { InputAsSent } from '../run/input-as-sent.tsx';
import { type LiveRun, openRun } from '../run/live-run.ts';
import { ModelCalls } from '../run/model-calls.tsx';
import { Outcome } from '../run/outcome.tsx';
import { Problems } from '../run/problems.tsx';
import { Reading } from '../run/reading.tsx';
import { useRunJobs } from '../run/run-jobs.ts';
import { StepDetails } from '../run/step-details.tsx';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { inFlight } from '../view-models/run-rows.ts';
import { shortTitle } from '../view-models/run-text.ts';
import type { PageProps } from './page.ts';

export function RunPage({ session, id, query }: PageProps) {
  const opened = useResource(id, (signal) => openRun(session.client, id, signal));
  const loaded = opened.loaded.value;
  const title = loaded.state === 'ready' ? titleOf(loaded.value) : 'Run';
  useTitle(title);
  if (loaded.state === 'failed' && isApiError(loaded.error, 'run_not_found'))
    return (
      <>
        <h1>This run is not visible to this key</h1>
        <p>
          It belongs to another workspace, it was deleted, or it never existed.{' '}
          <code>{loaded.error.code}</code>
        </p>
        <MoreAbout code={loaded.error.code} requestId={loaded.error.requestId} />
      </>
    );
  return (
    <>
      {loaded.state !== 'ready' && <h1>Run</h1>}
      <Show resource={opened}>{(live) => <RunView session={session} live={live} title={title} />}</Show>
      <RecordDrawer session={session} record={query.record} />
    </>
  );
}

const titleOf = ({ run, planned }: LiveRun) => shortTitle(run.value, planned.value.plan);

interface ViewProps {
  session: Session;
  live: LiveRun;
  title: string;
}

function RunView({ session, live, title }: ViewProps) {
  const run = live.run.value;
  const events = live.events.value;
  const { plan, understood_as } = live.planned.value;
  const jobs = useRunJobs(session, live);
  const outcome = <Outcome session={session} run={run} />;
  return (
    <>
      <RunHeader run={run} title={title} connection={live.connection.value} />
      <Reading warnings={run.warnings} understoodAs={understood_as} />
      {understood_as !== undefined && <ModelCalls session={session} run={run} stepIndex={-1} />}
      <RunFacts run={run} />
      {live.failure.value !== undefined && <ErrorNote error={live.failure.value} />}
      <RunActions session={session} live={live} hasReading={understood_as !== undefined} title={title} />
      <Problems run={run} />
      {!inFlight(run) && outcome}
      <section aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        {run.steps.length === 0 ? (
          <p class="quiet">There is no plan yet.</p>
        ) : (
          <Timeline
            run={run}
            events={events}
            jobs={jobs}
            details={(step) => (
              <StepDetails session={session} run={run} step={step} events={events} plan={plan} />
            )}
          />
        )}
      </section>
      {inFlight(run) && outcome}
      <Deliveries session={session} run={run} />
      <EventLog events={events} />
      <InputAsSent session={session} run={run} />
    </>
  );
}
