// The event stream, also at its own URL.

import { router } from '#edge/router.ts';
import { streamed } from '#edge/streamed.ts';
import { route as StreamEvents } from '../api/stream-events.ts';

export const handler = streamed(router<'Stream'>({ StreamEvents }));
