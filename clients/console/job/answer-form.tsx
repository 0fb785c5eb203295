// The form in which a question is answered or declined (rules.md: console 21).
import { useSignal } from '@preact/signals';
import { useId, useMemo } from 'preact/hooks';
import { isApiError, type Job, type RunService } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { ActionForm } from '../parts/action.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { answerOf, type Entered, enteredIn, fieldsOfAnswer } from '../view-models/answer-form.ts';
import { valueAt } from '../view-models/draft.ts';
import { issueAt, refusedFields } from '../view-models/issues.ts';
import { type Ending, isEnding } from '../view-models/job-text.ts';
import { AnswerControl } from './answer-control.tsx';
import { expandSchema } from './answer-schema.ts';

/** What became of the question: by this page, or how it had ended before. */
export interface Outcome {
  ending: Ending;
  isOurs: boolean;
}

interface Props {
  client: RunService;
  job: Job;
  onOver: (outcome: Outcome) => void;
}

const pathOf = (name: string) => `answer.${name}`;
/** The name on the wire, before what is wrong: the field itself shows whose fault it is. */
const NAMED = /^`[^`]*`:? /;

export function AnswerForm({ client, job, onOver }: Props) {
  const { job_id, schema } = job;
  const fields = useMemo(() => fieldsOfAnswer(expandSchema(schema ?? {}).schema), [job_id]);
  const entered = useSignal<Readonly<Record<string, Entered>>>({});
  const action = useAction();
  const id = useId();
  const error = action.error.value;
  const refused = refusedFields(error);
  const issues = fields.map(({ name }) => issueAt(refused, pathOf(name))?.message.replace(NAMED, ''));
  const areAllShown =
    refused.length > 0 && refused.every((one) => fields.some(({ name }) => issueAt([one], pathOf(name))));
  const send = async () => {
    const sent = client.jobs.complete(job_id, { answer: answerOf(fields, entered.peek()) });
    onOver(await outcomeOf('completed', sent));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void action.start(send);
  };
  return (
    <>
      <form id={id} class="stack answer" aria-label="Answer" onSubmit={submit}>
        {fields.map((field, at) => (
          <AnswerControl
            key={field.name}
            field={field}
            entered={enteredIn(entered.value, field.name)}
            issue={issues[at]}
            onEnter={(next) => (entered.value = { ...entered.peek(), [field.name]: next })}
          />
        ))}
        {error !== undefined && !areAllShown && <ErrorNote error={error} />}
      </form>
      <p class="row">
        <button class="primary" type="submit" form={id} disabled={action.pending.value}>
          {action.pending.value ? 'Sending…' : 'Answer'}
        </button>
        <DialogButton class="danger" text="Decline" title="Decline this question">
          {() => <Decline client={client} job={job} onOver={onOver} />}
        </DialogButton>
      </p>
    </>
  );
}

const MOST_CHARACTERS = 500;

/** The run gets the words of the person, and what it asked for fails with them. */
function Decline({ client, job: { job_id }, onOver }: Props) {
  const decline = async (given: FormData) => {
    const message = String(given.get('message')).trim();
    onOver(await outcomeOf('failed', client.jobs.fail(job_id, { message, retry: false })));
  };
  return (
    <ActionForm act={decline} confirm="Decline" doing="Declining…">
      <label class="field">
        Why
        <textarea name="message" rows={4} required maxLength={MOST_CHARACTERS} />
      </label>
      <p class="hint">The run stops here, with these words as the reason.</p>
    </ActionForm>
  );
}

/** What a message did, or how the job had ended before it came. Throws the client's other errors. */
async function outcomeOf(ending: Ending, sent: Promise<{ accepted: boolean }>): Promise<Outcome> {
  try {
    const { accepted } = await sent;
    return { ending, isOurs: accepted };
  } catch (error) {
    const before = endingIn(error);
    if (before === undefined) throw error;
    return { ending: before, isOurs: false };
  }
}

/** How a job ended, from the refusal of a message that came too late; undefined for any other error. */
export function endingIn(error: unknown): Ending | undefined {
  const status = isApiError(error, 'job_over') ? valueAt(error.details, 'status') : undefined;
  return isEnding(status) ? status : undefined;
}
