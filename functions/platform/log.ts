// Structured logs. Only named facts are logged: never headers, bodies, queries or keys. In a Lambda each line also has the trace's id.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@aws-lambda-powertools/logger';

type Facts = Readonly<Record<string, unknown>>;

/** What the lines of a work say beside their own facts; it may learn more. */
type Subject = Record<string, unknown>;

const logger = new Logger();
/** What all lines of the work at hand say; apart for works that go on at once. */
const subject = new AsyncLocalStorage<Subject>();

const lines = (level: 'info' | 'warn' | 'error') => (message: string, facts: Facts) =>
  logger[level](message, { ...subject.getStore(), ...facts });

export const log = { info: lines('info'), warn: lines('warn'), error: lines('error') };

/** Does the work; every line that it logs has these facts too. */
export function logAbout<T>(facts: Facts, work: () => T): T {
  return subject.run({ ...subject.getStore(), ...facts }, work);
}

/** From here on every line of the work at hand has these facts too. */
export function logAlso(facts: Facts): void {
  Object.assign(subject.getStore() ?? {}, facts);
}

/** The trace of the work at hand, where it has one. */
export function currentTrace(): string | undefined {
  const trace = subject.getStore()?.trace_id;
  return typeof trace === 'string' ? trace : undefined;
}

/** What a log may hold of an error: its name, message and stack. */
export function describe(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'unknown', message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
