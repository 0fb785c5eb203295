// Reads, with a key: the table, bodies in the bucket, records.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as CreateEventToken } from '../api/create-event-token.ts';
import { route as GetEntity } from '../api/get-entity.ts';
import { route as GetJob } from '../api/get-job.ts';
import { route as GetMe } from '../api/get-me.ts';
import { route as GetMonitor } from '../api/get-monitor.ts';
import { route as GetNote } from '../api/get-note.ts';
import { route as GetRun } from '../api/get-run.ts';
import { route as GetUsage } from '../api/get-usage.ts';
import { route as ListAllDeliveries } from '../api/list-all-deliveries.ts';
import { route as ListAudit } from '../api/list-audit.ts';
import { route as ListDeliveries } from '../api/list-deliveries.ts';
import { route as ListEntityTypes } from '../api/list-entity-types.ts';
import { route as ListEvents } from '../api/list-events.ts';
import { route as ListFires } from '../api/list-fires.ts';
import { route as ListJobs } from '../api/list-jobs.ts';
import { route as ListKeys } from '../api/list-keys.ts';
import { route as ListMonitors } from '../api/list-monitors.ts';
import { route as ListRuns } from '../api/list-runs.ts';
import { route as ListSources } from '../api/list-sources.ts';
import { route as ResolveEntities } from '../api/resolve-entities.ts';
import { route as SearchEntities } from '../api/search-entities.ts';

export const handler = buffered(
  router<'Read'>({
    GetMe,
    ListRuns,
    GetRun,
    ListEvents,
    CreateEventToken,
    ListDeliveries,
    ListAllDeliveries,
    ListJobs,
    GetJob,
    ListKeys,
    ListAudit,
    GetUsage,
    GetNote,
    SearchEntities,
    ResolveEntities,
    ListEntityTypes,
    ListSources,
    GetEntity,
    ListMonitors,
    GetMonitor,
    ListFires,
  }),
);
