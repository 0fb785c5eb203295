// One job, by a key.
import { JobView } from '../job/job-view.tsx';
import { RecordDrawer } from '../parts/record-drawer.tsx';
import { link } from '../router.ts';
import type { PageProps } from './page.ts';

export function JobPage({ session, id, query }: PageProps) {
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href={link('questions')}>Questions</a>
        <a href={link('jobs')}>All jobs</a>
      </nav>
      <JobView id={id} client={session.client} session={session} />
      <RecordDrawer session={session} record={query.record} />
    </>
  );
}
