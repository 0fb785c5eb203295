// Reads what may be large, in pieces; also for the readers of a link, whom it counts.

import { router } from '#edge/router.ts';
import { streamed } from '#edge/streamed.ts';
import { route as GetArtifact } from '../api/get-artifact.ts';
import { route as GetTrace } from '../api/get-trace.ts';
import { route as ListCalls } from '../api/list-calls.ts';
import { route as ListStepItems } from '../api/list-step-items.ts';

export const handler = streamed(router<'Download'>({ GetArtifact, GetTrace, ListCalls, ListStepItems }));
