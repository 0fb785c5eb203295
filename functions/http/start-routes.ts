// Starts runs, after a model may have understood their query.

import { router } from '#edge/router.ts';
import { streamed } from '#edge/streamed.ts';
import { route as CreateRun } from '../api/create-run.ts';
import { route as FireMonitor } from '../api/fire-monitor.ts';

export const handler = streamed(router<'Start'>({ CreateRun, FireMonitor }));
