// Changes items of the table, and queues deliveries.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as CreateArtifactLink } from '../api/create-artifact-link.ts';
import { route as DeleteMonitor } from '../api/delete-monitor.ts';
import { route as DeleteRun } from '../api/delete-run.ts';
import { route as RedeliverFailed } from '../api/redeliver-failed.ts';
import { route as RedeliverWebhook } from '../api/redeliver-webhook.ts';
import { route as RevokeKey } from '../api/revoke-key.ts';

export const handler = buffered(
  router<'Change'>({
    DeleteRun,
    RedeliverWebhook,
    RedeliverFailed,
    CreateArtifactLink,
    RevokeKey,
    DeleteMonitor,
  }),
);
