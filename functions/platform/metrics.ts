// Metrics: happenings that an operator may want an alarm on.
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

const metrics = new Metrics({ namespace: 'RunService' });

/** Counts a happening, `value` times. */
export function count(name: string, value = 1): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, value);
}
