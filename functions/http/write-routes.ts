// Changes items of the table and writes bodies to the bucket.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as AddJobItems } from '../api/add-job-items.ts';
import { route as CancelRun } from '../api/cancel-run.ts';
import { route as CompleteJob } from '../api/complete-job.ts';
import { route as CreateMonitor } from '../api/create-monitor.ts';
import { route as FailJob } from '../api/fail-job.ts';
import { route as ProgressJob } from '../api/progress-job.ts';
import { route as UpdateMonitor } from '../api/update-monitor.ts';

export const handler = buffered(
  router<'Write'>({
    CancelRun,
    CreateMonitor,
    UpdateMonitor,
    ProgressJob,
    AddJobItems,
    CompleteJob,
    FailJob,
  }),
);
