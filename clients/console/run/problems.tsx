// A run's errors, with remedies, and its warnings. Only what ended a run is red; items that failed are one line
// (rules.md: console 11).
import { useSignal } from '@preact/signals';
import type { ErrorCode, RunError, RunState, Warning } from '../../sdk/index.ts';
import { ErrorText } from '../parts/error-note.tsx';
import { Json } from '../parts/json.tsx';
import { RecordName } from '../parts/record-name.tsx';
import { link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import {
  type FailedItem,
  type FailedItems,
  failedItems,
  ownErrors,
  reasonsOf,
  successText,
} from '../view-models/failed-items.ts';
import { RerunButton } from './rerun.tsx';

/** Why a run failed; nothing for any other. */
export function Problems({ run: { status, errors, resumable } }: { run: RunState }) {
  const shown = ownErrors(errors);
  if (status !== 'failed' || shown.length === 0) return null;
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      {shown.map((error) => (
        <Problem error={error} kind="bad" resumable={resumable} />
      ))}
    </section>
  );
}

interface ProblemProps {
  error: RunError;
  kind: 'bad' | 'warn';
  resumable: boolean;
}

function Problem({ error: { code, message, details }, kind, resumable }: ProblemProps) {
  return (
    <div class={`note ${kind}`}>
      <ErrorText
        code={code}
        message={message}
        details={details}
        remedy={resumable ? remedyOf(code) : undefined}
        resumable={resumable}
      />
      {details && <Details details={details} />}
    </div>
  );
}

/** What to press: the service's own advice is written for programs. */
const remedyOf = (code: ErrorCode) =>
  code === 'cost_threshold_exceeded'
    ? 'raise the limit, then press Resume.'
    : 'press Resume; finished steps are not repeated.';

interface OfRun {
  session: Session;
  run: RunState;
}

/** What the answer lacks: the items that failed, in a line for each step, and what to do about them. */
export function Shortfalls({ session, run }: OfRun) {
  const others = run.status === 'failed' ? [] : ownErrors(run.errors);
  return (
    <>
      {failedItems(run).map((failed) => (
        <FailedLine key={failed.stepIndex} session={session} run={run} failed={failed} />
      ))}
      {others.map((error) => (
        <Problem error={error} kind="warn" resumable={run.resumable} />
      ))}
    </>
  );
}

const NAMED_MAX = 3;

function FailedLine({ session, run, failed }: OfRun & { failed: FailedItems }) {
  const [reason = '', ...others] = reasonsOf(failed);
  const named = failed.items.slice(0, NAMED_MAX);
  const more = failed.failed - named.length;
  return (
    <div class="note warn row">
      <p>
        <strong>{successText(failed)}</strong>;{' '}
        {named.map((item, i) => (
          <>
            {i > 0 && ', '}
            <ItemName session={session} item={item} />
          </>
        ))}
        {more > 0 && ` and ${more.toLocaleString('en')} more`} failed: {reason}
      </p>
      <Again session={session} run={run} stepIndex={failed.stepIndex} />
      {(others.length > 0 || failed.items.length > NAMED_MAX) && <Each session={session} failed={failed} />}
    </div>
  );
}

function ItemName({ session, item: { id, index } }: { session: Session; item: FailedItem }) {
  return <RecordName session={session} id={id} otherwise={index === undefined ? id : `item ${index + 1}`} />;
}

/** From the step on, or all of it where the service reruns no single step. */
function Again({ session, run, stepIndex }: OfRun & { stepIndex: number }) {
  const step = run.steps.find(({ index }) => index === stepIndex);
  if (run.input.input_type !== 'query')
    return step && <RerunButton session={session} run={run} step={step} />;
  if (!allows(session, 'runs:create')) return null;
  return (
    <a class="button" href={link('new', { from: run.id })}>
      Ask again
    </a>
  );
}

function Each({ session, failed: { items } }: { session: Session; failed: FailedItems }) {
  const isOpen = useSignal(false);
  return (
    <details class="wide" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Each item</summary>
      {isOpen.value && (
        <ul>
          {items.map((item) => (
            <li key={item.id}>
              <ItemName session={session} item={item} />: {item.message} <code>{item.code}</code>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      {warnings.map(({ code, message, step_index, details }) => (
        <div class="note warn">
          <p>
            {message} <code>{code}</code>
            {step_index !== undefined && <span class="quiet"> step {step_index + 1}</span>}
          </p>
          {details && <Details details={details} />}
        </div>
      ))}
    </section>
  );
}

function Details({ details }: { details: object }) {
  return (
    <details>
      <summary>Details</summary>
      <Json value={details} />
    </details>
  );
}
