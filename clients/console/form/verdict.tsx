// What is known of the request before it is sent: what is wrong with it, or what it would cost at most.
import type { RunCheck } from '../../sdk/index.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { counted } from '../text/figures.ts';
import { useForm } from './run-form.ts';

export function Verdict() {
  const form = useForm();
  const { issues } = form.written.value;
  const verdict = form.verdict.value;
  if (issues.length > 0) return form.told || form.kind.value === 'json' ? <Issues /> : null;
  if (!verdict) return <p class="quiet">Checking…</p>;
  if (verdict.check) return <Accepted check={verdict.check} />;
  return (
    <>
      <Issues />
      <ErrorNote error={verdict.error} />
    </>
  );
}

function Accepted({ check: { steps, credits_at_most } }: { check: RunCheck }) {
  const what = steps.length > 0 ? `${counted(steps.length, 'step')}` : 'the service plans the steps';
  const cost =
    credits_at_most === null ? 'no credits are drawn' : `at most ${counted(credits_at_most, 'credit')}`;
  return (
    <div class="note good" role="status">
      <p>
        Ready: {what}, {cost}.
      </p>
      {credits_at_most !== null && steps.length > 0 && (
        <p class="quiet">{steps.map(({ title, credits }) => `${title} ${credits}`).join(' · ')}</p>
      )}
    </div>
  );
}

function Issues() {
  const { issues } = useForm();
  if (issues.value.length === 0) return null;
  return (
    <div role="status">
      <ul class="refused">
        {issues.value.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path || 'request'}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
