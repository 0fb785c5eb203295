// One run.
import type { RunState } from '../../sdk/index.ts';
import { Badge } from '../parts/badge.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { useTitle } from '../title.ts';
import type { PageProps } from './page.ts';

export function RunPage({ session, id }: PageProps) {
  useTitle('Run');
  const run = useResource<RunState>(id, (signal) => session.client.runs.get(id, { signal }));
  return (
    <>
      <h1>Run</h1>
      <Show resource={run}>
        {({ status, message }) => (
          <>
            <Badge status={status} />
            <p>{message}</p>
          </>
        )}
      </Show>
    </>
  );
}
