// A step when it is opened: what it was asked to do, its items, its model calls and its events.
import { durationText } from '../../duration-text.ts';
import type { Plan, RunEvent, RunState, StepState } from '../../sdk/index.ts';
import { Fact } from '../parts/fact.tsx';
import { link } from '../router.ts';
import type { Session } from '../session.ts';
import { counted, kindText } from '../view-models/figures.ts';
import { paramText } from '../view-models/plan-text.ts';
import { eventsOf, itemsInto, madeBy } from '../view-models/step-text.ts';
import { ModelCalls } from './model-calls.tsx';
import { RerunButton } from './rerun.tsx';
import { StepItems } from './step-items.tsx';

interface Props {
  session: Session;
  run: RunState;
  step: StepState;
  events: readonly RunEvent[];
  plan: Plan | undefined;
}

export function StepDetails({ session, run, step, events, plan }: Props) {
  const planned = plan?.steps[step.index];
  const itemsIn = itemsInto(run.steps, step, planned?.params);
  const own = eventsOf(events, step.index);
  return (
    <>
      <dl class="facts breaks">
        {planned?.instructions && <Fact name="Instructions">{planned.instructions}</Fact>}
        {Object.entries(planned?.params ?? {}).map(([name, value]) => {
          const { label, text } = paramText(name, value);
          return (
            <Fact key={name} name={label}>
              {text}
            </Fact>
          );
        })}
        {(itemsIn !== undefined || step.items_out !== undefined) && (
          <Fact name="Items">
            {[
              itemsIn === undefined ? '' : `${itemsIn.toLocaleString('en')} in`,
              step.items_out === undefined ? '' : `${step.items_out.toLocaleString('en')} out`,
            ]
              .filter(Boolean)
              .join(', ')}
          </Fact>
        )}
        {step.retries?.map(({ at, attempt, max_attempts, delay_ms, error }) => (
          <Fact key={at} name="Model call">
            failed ({attempt} of {max_attempts}), tried again after {durationText(delay_ms)}: {error.message}
          </Fact>
        ))}
        <Artifacts events={own} />
        {own.length > 0 && (
          <Fact name="Events">
            <ol class="step-events">
              {own.slice(0, MOST_EVENTS).map(({ event_id, event_type, occurred_at }) => (
                <li key={event_id}>
                  <code>{event_type}</code>{' '}
                  <span class="quiet">at {durationText(Math.max(occurred_at - run.created_at, 0))}</span>
                </li>
              ))}
            </ol>
            {own.length > MOST_EVENTS && (
              <span class="quiet">and {counted(own.length - MOST_EVENTS, 'more event')}</span>
            )}
          </Fact>
        )}
      </dl>
      <StepItems
        session={session}
        runId={run.id}
        step={step}
        itemsIn={itemsIn}
        made={madeBy(planned?.params)}
      />
      <ModelCalls session={session} run={run} stepIndex={step.index} />
      <RerunButton session={session} run={run} step={step} />
    </>
  );
}

/** A step may report its progress hundreds of times; all of it is in the run's log. */
const MOST_EVENTS = 20;

function Artifacts({ events }: { events: readonly RunEvent[] }) {
  const made = events.filter((event) => event.event_type === 'artifact.created');
  if (made.length === 0) return null;
  return (
    <Fact name="Artifacts">
      {made.map(({ data: { artifact_id, title, kind } }) => (
        <span key={artifact_id} class="entry">
          <a href={link(`artifacts/${artifact_id}`)}>{title}</a> <span class="quiet">{kindText(kind)}</span>
        </span>
      ))}
    </Fact>
  );
}
