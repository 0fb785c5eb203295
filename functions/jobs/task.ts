// What the tasks of a run share: a checked event, logs about the run, and one error name for trouble of AWS services,
// which the state machine waits out.
import type * as z from 'zod';
import type { RunKey } from '#contract/run-keys.ts';
import { log, logAbout } from '#platform/log.ts';
import { isServiceTrouble, ServiceTrouble } from '#platform/service-trouble.ts';

/**
 * The handler of a task. Throws ZodError for another event, ServiceTrouble, and other errors as `perform` throws them.
 */
export function task<Event extends RunKey>(
  schema: z.ZodType<Event>,
  perform: (event: Event) => Promise<void>,
) {
  return async (sent: unknown): Promise<void> => {
    const event = schema.parse(sent);
    const { workspace_id, run_id } = event;
    await logAbout({ workspace_id, run_id }, async () => {
      const startedAt = Date.now();
      try {
        await perform(event);
      } catch (error) {
        throw isServiceTrouble(error) ? new ServiceTrouble(`${error.name}: ${error.message}`, error) : error;
      } finally {
        log.info('task done', { duration_ms: Date.now() - startedAt });
      }
    });
  };
}
