// The verdict before submission: what no field says is wrong, or the maximum cost.
import { type ApiError, isApiError, type RunCheck } from '../../sdk/index.ts';
import { ErrorNote, MoreAbout } from '../parts/error-note.tsx';
import { IssueList } from '../parts/issue-list.tsx';
import { counted } from '../view-models/figures.ts';
import { type RunForm, useForm } from './run-form.ts';

export function Verdict() {
  const form = useForm();
  const verdict = form.verdict.value;
  if (form.written.value.issues.length > 0) return <Unsent form={form} />;
  if (!verdict) return <p class="quiet">Checking…</p>;
  if (verdict.check) return <Accepted check={verdict.check} />;
  const { error } = verdict;
  const isAtFields = form.issues.value.length > 0 && form.unshown.value.length === 0;
  return isAtFields && isApiError(error) ? <AtFields error={error} /> : <ErrorNote error={error} />;
}

/** Fields show what is wrong with them, and that only when they were edited or the form was sent. */
function Unsent({ form }: { form: RunForm }) {
  const isDue = form.tried.value || form.kind.value === 'json';
  const unshown = form.unshown.value;
  if (!isDue) return null;
  const shown = form.issues.value.length - unshown.length;
  return (
    <div role="status">
      {form.tried.value && shown > 0 && (
        <p class="refused">Not sent: {counted(shown, 'field needs', 'fields need')} a change.</p>
      )}
      <IssueList issues={unshown} />
    </div>
  );
}

/** The fields have said it. */
function AtFields({ error: { code, requestId } }: { error: ApiError }) {
  return (
    <div class="refusal" role="status">
      <p>
        Refused, as the field says: <code>{code}</code>
      </p>
      <MoreAbout code={code} requestId={requestId} />
    </div>
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
