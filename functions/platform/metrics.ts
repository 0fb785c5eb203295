// Metrics: events that an operator may want an alarm on.
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

const metrics = new Metrics({ namespace: 'RunService' });

/** Adds `value` to the count of an event. */
export function count(name: string, value = 1): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, value);
}
