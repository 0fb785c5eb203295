// Changes items of the table and writes bodies to the bucket.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as CancelRun } from '../api/cancel-run.ts';
import { route as CreateMonitor } from '../api/create-monitor.ts';
import { route as UpdateMonitor } from '../api/update-monitor.ts';

export const handler = buffered(router<'Write'>({ CancelRun, CreateMonitor, UpdateMonitor }));
