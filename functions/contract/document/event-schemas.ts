// The events as clients read them: a union by type, each with the data of its row.
import * as z from 'zod';
import { componentName } from '../component-name.ts';
import { type EventType, eventData, eventTypes, RunEvent } from '../events.ts';

function eventOf(type: EventType) {
  const data: z.ZodObject = eventData[type];
  return RunEvent.extend({
    event_type: z.literal(type),
    data: data.meta({ id: componentName(type, 'Data') }),
  }).meta({ id: componentName(type, 'Event') });
}
const [first, ...others] = eventTypes;

/** One event of a log or a stream. */
export const Event = z
  .discriminatedUnion('event_type', [eventOf(first), ...others.map(eventOf)])
  .meta({ id: 'Event' });
