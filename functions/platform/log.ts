// Structured logs and metrics. Only named facts are logged: never headers, bodies, queries or keys.
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

export const log = new Logger();
const metrics = new Metrics({ namespace: 'RunService' });

/** Counts a happening that an operator may want an alarm on. */
export function count(name: string, value = 1): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, value);
}

/** What a log may say of an error: its kind and message, and where it came from. */
export function describe(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'unknown', message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
