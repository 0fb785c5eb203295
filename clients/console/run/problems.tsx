// A run's errors, with remedies, and its warnings.
import type { ErrorCode, Run, Warning } from '../../sdk/index.ts';
import { ErrorText } from '../parts/error-note.tsx';
import { Json } from '../parts/json.tsx';

export function Problems({ errors, resumable }: Pick<Run, 'errors' | 'resumable'>) {
  // The status already says that a run was canceled.
  const shown = errors.filter(({ code }) => code !== 'canceled_by_user');
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      {shown.map((error) => (
        <div class="note bad">
          <ErrorText
            code={error.code}
            message={error.message}
            details={error.details}
            remedy={resumable ? remedyOf(error.code) : undefined}
            resumable={resumable}
          />
          {error.details && <Details details={error.details} />}
        </div>
      ))}
    </section>
  );
}

/** What to press: the service's own advice is written for programs. */
const remedyOf = (code: ErrorCode) =>
  code === 'cost_threshold_exceeded'
    ? 'raise the limit, then press Resume.'
    : 'press Resume; finished steps are not repeated.';

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
