// The refusal of a position in a list or a log that the service did not issue.
import { wrongParam } from './wrong-param.ts';

/** The error of a cursor or event id that was never issued (rules.md: paging 2, stream 3). */
export function unknownPosition(param: 'cursor' | 'last_event_id', expected: string, message: string): Error {
  return wrongParam(param, expected, 'string', message);
}
