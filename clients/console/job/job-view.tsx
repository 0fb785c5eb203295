// One job: what is asked, of a question the form that answers it, and how it ended. By a key, or by the question's own
// link (rules.md: console 21).
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isApiError, type Job, type RunService } from '../../sdk/index.ts';
import { countQuestions } from '../open-questions.ts';
import { Badge } from '../parts/badge.tsx';
import { BoxedFact } from '../parts/fact.tsx';
import { Show } from '../parts/show.tsx';
import { Table } from '../parts/table.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { allows, type Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { counted, moneyText, timeText } from '../view-models/figures.ts';
import { itemRows, namesAlone } from '../view-models/item-rows.ts';
import { type Ending, endingText, jobStatusText } from '../view-models/job-text.ts';
import { AnswerForm, endingIn, type Outcome } from './answer-form.tsx';
import { StepOfRun } from './step-of-run.tsx';

interface Props {
  id: string;
  client: RunService;
  /** Undefined where the link of the question is all that its reader has. */
  session?: Session;
}

/** How often an open question is read again: it may end while its page is open. */
const REFRESH_MS = 15_000;

export function JobView({ id, client, session }: Props) {
  const job = useResource(id, (signal) => client.jobs.get(id, { signal }));
  const outcome = useSignal<Outcome | undefined>(undefined);
  const loaded = job.loaded.value;
  const seen = loaded.state === 'ready' ? loaded.value : undefined;
  const error = loaded.state === 'loading' ? undefined : loaded.error;
  const ended = outcome.value ?? endedBefore(seen, error);
  const title = seen?.title ?? 'Question';
  useTitle(title);
  useEffect(() => {
    if (ended) return;
    const timer = setInterval(() => !document.hidden && void job.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [ended === undefined]);
  const over = (next: Outcome) => {
    outcome.value = next;
    if (!session) return;
    void job.reload();
    void countQuestions(session);
  };
  // A token says nothing of a question that is over but that it is.
  if (ended && !seen) return <Gone ending={ended.ending} />;
  if (!session && !seen && isApiError(error) && error.status === 401) return <BrokenLink />;
  return (
    <>
      <h1 dir="auto">{title}</h1>
      {ended && <Ended outcome={ended} job={seen} isNews={outcome.value !== undefined} />}
      {seen && ended ? (
        <Asked job={seen} session={session} />
      ) : (
        <Show resource={job}>
          {(open) => (
            <>
              <Asked job={open} session={session} />
              {open.kind === 'person' && (
                <Answering job={open} client={client} session={session} onOver={over} />
              )}
            </>
          )}
        </Show>
      )}
    </>
  );
}

function Gone({ ending }: { ending: Ending }) {
  return (
    <>
      <h1>This question is over</h1>
      <p class="note">{endingText(ending)}</p>
    </>
  );
}

/** Who has only a link has no use for the words about keys. */
function BrokenLink() {
  return (
    <>
      <h1>This link opens no question</h1>
      <p class="note">It is cut off, or too old. Open the whole link again, or ask for a new one.</p>
    </>
  );
}

/** How a job that was read had ended before, as it says or as the refusal to read it says. */
function endedBefore(job: Job | undefined, error: unknown): Outcome | undefined {
  const ending = endingIn(error) ?? (job && job.status !== 'open' ? job.status : undefined);
  return ending && { ending, isOurs: false };
}

function outcomeText({ ending, isOurs }: Outcome): string {
  if (!isOurs) return endingText(ending);
  return ending === 'completed'
    ? 'Thank you. Your answer has been taken, and the run goes on.'
    : 'You have declined. The run stops with your words as the reason.';
}

interface EndedProps {
  outcome: Outcome;
  job: Job | undefined;
  /** It takes the focus of the form that was there. */
  isNews: boolean;
}

function Ended({ outcome, job, isNews }: EndedProps) {
  const note = useRef<HTMLParagraphElement>(null);
  // At once: keys that follow are not meant for the form.
  useLayoutEffect(() => {
    if (isNews) note.current?.focus();
  }, [isNews]);
  if (job?.kind === 'job') return null;
  return (
    <p ref={note} class={outcome.isOurs ? 'note good' : 'note'} tabIndex={-1}>
      {outcomeText(outcome)}
    </p>
  );
}

interface AskedProps {
  job: Job;
  session: Session | undefined;
}

function Asked({ job, session }: AskedProps) {
  const { instructions, query, items_in } = job;
  return (
    <>
      {session && <Facts job={job} />}
      {!session && (
        <p class="quiet">
          Asked <Ago at={job.created_at} />, until {timeText(job.deadline_at)}
        </p>
      )}
      {instructions && (
        <p class="as-written" dir="auto">
          {instructions}
        </p>
      )}
      {query && (
        <p>
          Asked for: <q>{query}</q>
        </p>
      )}
      {items_in.length > 0 && <Items job={job} session={session} />}
    </>
  );
}

function Facts({ job }: { job: Job }) {
  const { kind, status, source, attempt, created_at, completed_at, deadline_at } = job;
  return (
    <dl class="run-facts">
      <BoxedFact name="Status">
        <Badge status={status} text={jobStatusText(job)} />
      </BoxedFact>
      <BoxedFact name="Run">
        <StepOfRun job={job} />
      </BoxedFact>
      <BoxedFact name="Source">{source}</BoxedFact>
      {kind === 'job' && <BoxedFact name="Attempt">{attempt}</BoxedFact>}
      <BoxedFact name="Asked">
        <Ago at={created_at} />
      </BoxedFact>
      {completed_at === undefined ? (
        <BoxedFact name="Until">{timeText(deadline_at)}</BoxedFact>
      ) : (
        <BoxedFact name="Over">
          <Ago at={completed_at} />
        </BoxedFact>
      )}
      {job.items !== undefined && <BoxedFact name="Came back">{counted(job.items, 'item')}</BoxedFact>}
      {job.cost_usd !== undefined && <BoxedFact name="Cost">{moneyText(job.cost_usd)}</BoxedFact>}
      {job.message !== undefined && <BoxedFact name="Said">{job.message}</BoxedFact>}
    </dl>
  );
}

/** Names lead to records only where a key can read them. */
function Items({ job: { items_in }, session }: AskedProps) {
  const isLinked = session !== undefined;
  const { columns, rows } = useMemo(
    () => itemRows(isLinked ? items_in : namesAlone(items_in), []),
    [items_in, isLinked],
  );
  return (
    <>
      <h2>Items</h2>
      <Table title="Items" columns={columns} rows={rows} />
    </>
  );
}

interface AnsweringProps extends AskedProps {
  client: RunService;
  onOver: (outcome: Outcome) => void;
}

function Answering({ job, client, session, onOver }: AnsweringProps) {
  return (
    <section aria-labelledby="answer">
      <h2 id="answer">Your answer</h2>
      {session && !allows(session, 'runs:create') ? (
        <p class="quiet">This key may read the question. An answer needs the scope runs:create.</p>
      ) : (
        <AnswerForm client={client} job={job} onOver={onOver} />
      )}
    </section>
  );
}
