// The budget: notifies the topic of the alarms when the account costs more in a month than it should.
import { Aws } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { letPublish } from './alarms.ts';

/** Counts the whole account: costs by tag exist only where the tag is activated for billing. */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, usd: number, topic: Topic, dataKey: Key) {
    super(scope, id);
    letPublish('budgets.amazonaws.com', topic, dataKey);
    const notify = (notificationType: 'ACTUAL' | 'FORECASTED') => ({
      notification: {
        notificationType,
        comparisonOperator: 'GREATER_THAN',
        threshold: 100,
        thresholdType: 'PERCENTAGE',
      },
      subscribers: [{ subscriptionType: 'SNS', address: topic.topicArn }],
    });
    const budget = new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `${Aws.STACK_NAME}-month`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: usd, unit: 'USD' },
      },
      notificationsWithSubscribers: [notify('ACTUAL'), notify('FORECASTED')],
    });
    // AWS Budgets tries to publish when the budget is created.
    budget.node.addDependency(topic);
  }
}
