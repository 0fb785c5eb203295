// What the tasks of a run have in common: a checked event, and trouble of AWS services under the one name that the machine waits out.
import type * as z from 'zod';
import { isServiceTrouble, ServiceTrouble } from '#platform/service-trouble.ts';

/** The handler of a task. Throws ZodError for another event, ServiceTrouble, and other errors as `perform` throws them. */
export function task<Event>(schema: z.ZodType<Event>, perform: (event: Event) => Promise<void>) {
  return async (sent: unknown): Promise<void> => {
    const event = schema.parse(sent);
    try {
      await perform(event);
    } catch (error) {
      throw isServiceTrouble(error) ? new ServiceTrouble(`${error.name}: ${error.message}`, error) : error;
    }
  };
}
