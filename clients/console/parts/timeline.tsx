// The steps of a run as a list and chart: a bar per attempt, ticks for retries, idle time folded.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { durationText } from '../../duration-text.ts';
import type { ListedJob, RunEvent, RunState, StepState } from '../../sdk/index.ts';
import { now } from '../now.ts';
import { stepFacts } from '../view-models/step-text.ts';
import {
  type Axis,
  attemptNotes,
  foldedAxis,
  type Lead,
  leadOf,
  leadText,
  marksOn,
  positionOn,
  type Span,
  spansOf,
  waitFacts,
  withJobs,
} from '../view-models/timeline.ts';
import { Badge } from './badge.tsx';

interface Props {
  run: RunState;
  events: readonly RunEvent[];
  /** What its steps asked of workers and people, newest first. */
  jobs: readonly ListedJob[];
  /** What a step shows when it is opened. */
  details: (step: StepState) => ComponentChildren;
}

export function Timeline({ run, events, jobs, details }: Props) {
  const spans = withJobs(spansOf(run.steps, events), jobs);
  const all = [...spans.values()].flat();
  const goesOn = all.some(({ to }) => to === undefined) || run.completed_at === undefined;
  const lastKnown = Math.max(
    ...all.map(({ from, to }) => to ?? from),
    events.at(-1)?.occurred_at ?? run.created_at,
  );
  // The service's clock may be ahead.
  const until = goesOn ? Math.max(now.value, lastKnown) : Math.max(run.completed_at ?? 0, lastKnown);
  const leads = leadOf(run, events);
  // The steps take the room: what comes before them is folded where it is long.
  const axis = foldedAxis(all, leads[0]?.from ?? run.created_at, until);
  return (
    <div class="timeline">
      <Scale axis={axis} />
      {leads.length > 0 && <Before leads={leads} axis={axis} until={until} />}
      <ol>
        {run.steps.map((step) => (
          <Step
            key={step.index}
            step={step}
            axis={axis}
            spans={spans.get(step.index) ?? []}
            notes={attemptNotes(jobs, step.index)}
            until={until}
            goesOn={goesOn}
            details={details}
          />
        ))}
      </ol>
    </div>
  );
}

interface BeforeProps {
  leads: readonly Lead[];
  axis: Axis;
  until: number;
}

/** What came before the first step. */
function Before({ leads, axis, until }: BeforeProps) {
  return (
    <div class="timeline-before">
      <span class="quiet step-facts">{leadText(leads, until)}</span>
      <div class="track" aria-hidden="true">
        {foldsOf(axis).map((fold) => (
          <i class="fold" style={fold.style} />
        ))}
        {leads.map(({ kind, from, to = until }) => (
          <i
            class={`span is-${kind}`}
            title={kind}
            style={between(positionOn(axis, from), positionOn(axis, to))}
          />
        ))}
      </div>
    </div>
  );
}

interface StepProps extends Pick<Props, 'details'> {
  step: StepState;
  axis: Axis;
  spans: readonly Span[];
  /** What became of earlier attempts of a worker. */
  notes: readonly string[];
  until: number;
  goesOn: boolean;
}

/** The title opens the step. */
function Step(props: StepProps) {
  const { step, details } = props;
  const isOpen = useSignal(false);
  return (
    <li class="timeline-step">
      <div class="step-title">
        <button
          type="button"
          class="plain opens"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <span class="step-number">{step.index + 1}</span> <strong>{step.title}</strong>
        </button>
        <StepFacts {...props} />
      </div>
      <Track {...props} />
      {isOpen.value && <div class="step-details">{details(step)}</div>}
    </li>
  );
}

function StepFacts({ step, spans, notes, until, goesOn }: StepProps) {
  return (
    <>
      <span class="quiet step-facts">
        <Badge status={step.status} text={step.status === 'pending' && !goesOn ? 'not run' : undefined} />{' '}
        {[...stepFacts(step, until), ...waitFacts(spans, until)].join(' · ')}
      </span>
      {notes.map((note) => (
        <span class="quiet step-facts">{note}</span>
      ))}
      {step.progress?.message && <span class="quiet step-facts">{step.progress.message}</span>}
      {step.error && <span class="step-error">{step.error.message}</span>}
    </>
  );
}

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

/** CSS properties, set through the object model: the policy forbids style attributes. */
const between = (from: number, to: number) => ({
  '--from': percent(from),
  '--width': percent(Math.max(to - from, 0)),
});

/** The chart repeats the words next to it. */
function Track({ axis, spans, until, goesOn, step: { progress } }: StepProps) {
  const done = progress && progress.items_total > 0 ? progress.items_done / progress.items_total : undefined;
  return (
    <div class="track" aria-hidden="true">
      {foldsOf(axis).map((fold) => (
        <i class="fold" style={fold.style} />
      ))}
      {spans.map(({ attempt, from, to, outcome, retries, waits }) => (
        <>
          <i
            key={attempt}
            class={`span is-${outcome}`}
            style={between(positionOn(axis, from), positionOn(axis, to ?? until))}
          >
            {outcome === 'running' && done !== undefined && (
              <b style={{ '--width': percent(Math.min(done, 1)) }} />
            )}
          </i>
          {waits.map((wait) => (
            <i
              class="wait"
              title={`waiting for ${wait.source ?? 'the model'}`}
              style={between(positionOn(axis, wait.from), positionOn(axis, wait.to ?? until))}
            />
          ))}
          {retries.map((at) => (
            <i class="retry-tick" style={between(positionOn(axis, at), 0)} />
          ))}
        </>
      ))}
      {goesOn && <i class="now-line" style={between(1, 1)} />}
    </div>
  );
}

const foldsOf = (axis: Axis) =>
  axis.pieces
    .filter(({ folded }) => folded)
    .map(({ from, to }) => ({
      text: durationText(to - from),
      style: between(positionOn(axis, from), positionOn(axis, to)),
    }));

/** Stays visible above long lists of steps. */
function Scale({ axis }: { axis: Axis }) {
  return (
    <div class="scale" aria-hidden="true">
      <div class="track">
        {marksOn(axis).map(({ position, text }) => (
          <span class="mark" style={between(position, position)}>
            {text}
          </span>
        ))}
        {foldsOf(axis).map(({ style, text }) => (
          <span class="folded" style={style} title="idle">
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}
