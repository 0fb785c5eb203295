// The dashboard: the service on one page.
import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { counted, repairs, tableThrottles, type Watched } from './alarm-rules.ts';

const WIDGET_WIDTH = 8;

/** Requests, runs, backlogs, and how close the limits are. */
export class Overview extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { api, table, stateMachine: runs, deliveries, compactions, functionOf } = watched;
    const stream = functionOf('Stream');
    new Dashboard(this, 'Dashboard', {
      widgets: [
        [
          graph('Requests', [api.metricCount(), stream.metric('UrlRequestCount', { statistic: 'Sum' })]),
          graph('Refused and failed requests', [api.metricClientError(), api.metricServerError()]),
          graph('Latency of the API, ms', [
            api.metricLatency({ statistic: 'p50' }),
            api.metricLatency({ statistic: 'p99' }),
          ]),
        ],
        [
          graph('Runs', [runs.metricStarted(), runs.metricSucceeded(), runs.metricFailed()]),
          graph('Time of an execution, ms', [
            runs.metricTime({ statistic: 'p50' }),
            runs.metricTime({ statistic: 'p99' }),
          ]),
          graph(
            'Mended by the sweep',
            repairs.map((name) => counted(`healed_${name}`)),
          ),
        ],
        [
          graph('Age of the oldest message, s', [
            deliveries.queue.metricApproximateAgeOfOldestMessage(),
            compactions.queue.metricApproximateAgeOfOldestMessage(),
          ]),
          graph('Concurrency and throttles', [
            LambdaFunction.metricAllConcurrentExecutions(),
            LambdaFunction.metricAllThrottles(),
          ]),
          graph('Capacity of the table', [
            table.metricConsumedReadCapacityUnits(),
            table.metricConsumedWriteCapacityUnits(),
            tableThrottles(table),
          ]),
        ],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: WIDGET_WIDTH });
}
