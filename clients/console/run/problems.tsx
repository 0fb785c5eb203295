// A run's errors, with remedies, and its warnings.
import type { RunError, Warning } from '../../sdk/index.ts';
import { ErrorText } from '../parts/error-note.tsx';
import { Json } from '../parts/json.tsx';

export function Problems({ errors }: { errors: readonly RunError[] }) {
  // The status already says that a run was canceled.
  const shown = errors.filter(({ code }) => code !== 'canceled_by_user');
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      {shown.map((error) => (
        <div class="note bad">
          <ErrorText code={error.code} message={error.message} />
          {error.details && <Details details={error.details} />}
        </div>
      ))}
    </section>
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
            {step_index !== undefined && <span class="quiet"> in step {step_index + 1}</span>}
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
