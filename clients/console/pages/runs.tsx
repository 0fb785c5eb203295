// The runs of the workspace.
import { Badge } from '../parts/badge.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { useResource } from '../resource.ts';
import { link } from '../router.ts';
import { allows } from '../session.ts';
import { counted, durationText, moneyText } from '../text/figures.ts';
import { useTitle } from '../title.ts';
import type { PageProps } from './page.ts';

export function RunsPage({ session }: PageProps) {
  useTitle('Runs');
  const runs = useResource('runs', async (signal) => await session.client.runs.list({}, { signal }));
  return (
    <>
      <h1>Runs</h1>
      {allows(session, 'runs:create') && <a href={link('new')}>New run</a>}
      <Show resource={runs}>
        {({ data }) => (
          <ul>
            {data.map(({ id, title, status, created_at, started_at, completed_at, usage, steps }) => (
              <li key={id}>
                <Badge status={status} /> <a href={link(`runs/${id}`)}>{title ?? id}</a>{' '}
                <Ago at={created_at} /> {moneyText(usage.cost_usd)}, {counted(steps.length, 'step')}
                {started_at && completed_at && `, ${durationText(completed_at - started_at)}`}
              </li>
            ))}
          </ul>
        )}
      </Show>
    </>
  );
}
