// All jobs of the workspace, of workers and of people: what became of each, and what it took.
import { durationText } from '../../duration-text.ts';
import type { JobStatus, ListedJob, Source } from '../../sdk/index.ts';
import { StepOfRun } from '../job/step-of-run.tsx';
import { now } from '../now.ts';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { RowsTable } from '../parts/rows-table.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { go, here, link } from '../router.ts';
import { useTitle } from '../title.ts';
import type { Query } from '../view-models/address.ts';
import { moneyText } from '../view-models/figures.ts';
import { jobKinds, jobName, jobQuery, jobStatuses, jobStatusText } from '../view-models/job-text.ts';
import type { PageProps } from './page.ts';

export function JobsPage({ session, query }: PageProps) {
  useTitle('Jobs');
  const { jobs, sources } = session.client;
  const seen = useResource(JSON.stringify(query), async (signal) => {
    const [page, named] = await Promise.all([
      jobs.list(jobQuery(query), { signal }),
      sources.list({ signal }),
    ]);
    return { page, named };
  });
  const loaded = seen.loaded.value;
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('questions')}>Questions</a>
      </nav>
      <h1>Jobs</h1>
      <Filters query={query} sources={loaded.state === 'ready' ? loaded.value.named : []} />
      <Show resource={seen}>
        {({ page: { data, next_cursor }, named }) => (
          <>
            {data.length > 0 ? (
              <Jobs jobs={data} sources={named} />
            ) : (
              <p class="quiet">There is no such job.</p>
            )}
            {next_cursor && (
              <button type="button" onClick={() => go(here({ cursor: next_cursor }))}>
                Older jobs
              </button>
            )}
          </>
        )}
      </Show>
    </>
  );
}

function Filters({ query, sources }: { query: Query; sources: readonly Source[] }) {
  const asked = sources.filter(({ kind }) => kind === 'job' || kind === 'person');
  const filters = [
    ['status', 'Status', jobStatuses.map((one: JobStatus) => [one, one.replace('_', ' ')] as const)],
    ['kind', 'Kind', Object.entries(jobKinds)],
    ['source', 'Source', asked.map(({ name }) => [name, name] as const)],
  ] as const;
  return (
    <div class="row">
      {filters.map(([name, text, options]) => (
        <label key={name}>
          {text}{' '}
          <Choice
            options={options}
            all="all"
            value={query[name]}
            onChoose={(chosen) => go(here({ [name]: chosen, cursor: undefined }))}
          />
        </label>
      ))}
    </div>
  );
}

interface JobsProps {
  jobs: readonly ListedJob[];
  sources: readonly Source[];
}

function Jobs({ jobs, sources }: JobsProps) {
  return (
    <RowsTable
      caption="Jobs, newest first"
      heads={['Status', 'Job', 'Kind', 'Run', 'Asked', 'Took', 'Items', 'Cost']}
      numbers={3}
    >
      {jobs.map((job) => (
        <Row key={job.job_id} job={job} sources={sources} />
      ))}
    </RowsTable>
  );
}

function Row({ job, sources }: { job: ListedJob; sources: readonly Source[] }) {
  const { job_id, kind, status, created_at, completed_at, items, cost_usd } = job;
  const until = completed_at ?? (status === 'open' ? now.value : undefined);
  return (
    <tr>
      <td class="status">
        <Badge status={status} text={jobStatusText(job)} />
      </td>
      <th scope="row">
        <a href={link(`jobs/${job_id}`)}>{jobName(job, sources)}</a>
      </th>
      <td class="quiet">{jobKinds[kind]}</td>
      <td>
        <StepOfRun job={job} class="above" />
      </td>
      <td class="quiet">
        <Ago at={created_at} />
      </td>
      <td class="number">{until !== undefined && durationText(Math.max(0, until - created_at))}</td>
      <td class="number">{items?.toLocaleString('en')}</td>
      <td class="number">{cost_usd !== undefined && moneyText(cost_usd)}</td>
    </tr>
  );
}
