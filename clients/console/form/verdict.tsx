// The verdict before submission: the issues, or the maximum cost.
import type { RunCheck } from '../../sdk/index.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { IssueList } from '../parts/issue-list.tsx';
import { counted } from '../view-models/figures.ts';
import { useForm } from './run-form.ts';

export function Verdict() {
  const form = useForm();
  const { issues } = form.written.value;
  const verdict = form.verdict.value;
  if (issues.length > 0 && !form.tried.value && form.kind.value !== 'json') return null;
  if (issues.length > 0)
    return (
      <div role="status">
        <IssueList issues={issues} />
      </div>
    );
  if (!verdict) return <p class="quiet">Checking…</p>;
  if (verdict.check) return <Accepted check={verdict.check} />;
  return <ErrorNote error={verdict.error} />;
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
