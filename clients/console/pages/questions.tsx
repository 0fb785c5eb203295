// The questions that wait for a person's answer.
import { useEffect } from 'preact/hooks';
import type { ListedJob, Source } from '../../sdk/index.ts';
import { StepOfRun } from '../job/step-of-run.tsx';
import { countQuestions } from '../open-questions.ts';
import { RowsTable } from '../parts/rows-table.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { here, link } from '../router.ts';
import { useTitle } from '../title.ts';
import { timeText } from '../view-models/figures.ts';
import { jobName } from '../view-models/job-text.ts';
import type { PageProps } from './page.ts';

const SHOWN = 50;
const REFRESH_MS = 10_000;

export function QuestionsPage({ session, query }: PageProps) {
  useTitle('Questions');
  const { jobs, sources } = session.client;
  const open = useResource(`${query.cursor}`, async (signal) => {
    const wanted = { status: 'open', kind: 'person', limit: SHOWN } as const;
    const [page, named] = await Promise.all([
      jobs.list({ ...wanted, ...(query.cursor && { cursor: query.cursor }) }, { signal }),
      sources.list({ signal }),
    ]);
    return { page, named };
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      void open.reload();
      void countQuestions(session);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [session]);
  return (
    <>
      <div class="row spread">
        <h1>Questions</h1>
        <a href={link('jobs')}>All jobs</a>
      </div>
      <Show resource={open}>
        {({ page: { data, next_cursor }, named }) => (
          <>
            {data.length > 0 ? (
              <RowsTable caption="Open questions, newest first" heads={['Question', 'Run', 'Asked', 'Until']}>
                {data.map((job) => (
                  <Row key={job.job_id} job={job} sources={named} />
                ))}
              </RowsTable>
            ) : (
              <p>
                No question is open. A step that fetches from a source of kind <code>person</code> asks one,
                and its run waits for the answer.
              </p>
            )}
            <nav class="row" aria-label="Pages">
              {query.cursor && <a href={link('questions')}>Newest questions</a>}
              {next_cursor && <a href={here({ cursor: next_cursor })}>Older questions</a>}
            </nav>
          </>
        )}
      </Show>
    </>
  );
}

function Row({ job, sources }: { job: ListedJob; sources: readonly Source[] }) {
  const { job_id, created_at, deadline_at } = job;
  return (
    <tr>
      <th scope="row">
        <a href={link(`jobs/${job_id}`)}>{jobName(job, sources)}</a>
      </th>
      <td>
        <StepOfRun job={job} class="above" />
      </td>
      <td class="quiet">
        <Ago at={created_at} />
      </td>
      <td class="quiet">{timeText(deadline_at)}</td>
    </tr>
  );
}
