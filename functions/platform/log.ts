// Structured logs. Only named facts are logged: never headers, bodies, queries or keys. In a Lambda each line also has
// the trace's id.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@aws-lambda-powertools/logger';

type Facts = Readonly<Record<string, unknown>>;

/** Facts in every line that a piece of work logs, besides the line's own; the work may add more. */
type Subject = Record<string, unknown>;

const logger = new Logger();
/** The facts of the current work; concurrent work has separate ones. */
const subject = new AsyncLocalStorage<Subject>();

const lines = (level: 'info' | 'warn' | 'error') => (message: string, facts: Facts) =>
  logger[level](message, { ...subject.getStore(), ...facts });

export const log = { info: lines('info'), warn: lines('warn'), error: lines('error') };

/** Runs the work; every line that it logs has these facts too. */
export function logAbout<T>(facts: Facts, work: () => T): T {
  return subject.run({ ...subject.getStore(), ...facts }, work);
}

/** Adds these facts to every further line of the current work. */
export function logAlso(facts: Facts): void {
  Object.assign(subject.getStore() ?? {}, facts);
}

/** The trace of the current work, if it has one. */
export function currentTrace(): string | undefined {
  const trace = subject.getStore()?.trace_id;
  return typeof trace === 'string' ? trace : undefined;
}

/** What a log may contain of an error: its name, message and stack. */
export function describe(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'unknown', message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
