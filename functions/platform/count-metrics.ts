// Metrics: events that an operator may want an alarm on.
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

const metrics = new Metrics({ namespace: 'RunService' });

/** Adds to the count of an event: `times`, by default one, `at` an epoch ms, by default now. */
export function count(
  name: string,
  { times = 1, at = Date.now() }: { times?: number; at?: number } = {},
): void {
  metrics.singleMetric().setTimestamp(at).addMetric(name, MetricUnit.Count, times);
}
