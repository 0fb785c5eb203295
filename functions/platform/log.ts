// Structured logs. Only named facts are logged: never headers, bodies, queries or keys.
import { Logger } from '@aws-lambda-powertools/logger';

export const log = new Logger();

/** What a log may hold of an error: its name, message and stack. */
export function describe(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'unknown', message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
