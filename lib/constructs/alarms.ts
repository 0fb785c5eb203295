// The alarms, and the topic that they notify. Subscribe to the topic to receive them.
import { Aws } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { type AlarmRule, alarmRules, type Watched } from './alarm-rules.ts';

/** One alarm per rule; all notify the topic. */
export class Alarms extends Construct {
  readonly topic: Topic;
  private readonly byId = new Map<string, Alarm>();

  constructor(scope: Construct, id: string, watched: Watched, dataKey: Key) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { masterKey: dataKey, enforceSSL: true });
    letPublish('cloudwatch.amazonaws.com', this.topic, dataKey);
    for (const rule of alarmRules(watched)) this.add(rule);
  }

  private add({ id, metric, threshold, description }: AlarmRule): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: description,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    this.byId.set(id, alarm);
  }

  /** The alarms of these rules. Throws for a rule that does not exist. */
  of(ids: readonly string[]): Alarm[] {
    return ids.map((id) => {
      const alarm = this.byId.get(id);
      if (!alarm) throw new Error(`there is no alarm ${id}`);
      return alarm;
    });
  }
}

/**
 * Allows a service of AWS, for this account, to publish to the topic and to use its key: a topic with an explicit
 * policy has no default one.
 */
export function letPublish(service: string, topic: Topic, key: Key): void {
  const forThisAccount = {
    principals: [new ServicePrincipal(service)],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  };
  topic.addToResourcePolicy(
    new PolicyStatement({ ...forThisAccount, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      ...forThisAccount,
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
}
