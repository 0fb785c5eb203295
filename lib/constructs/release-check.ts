// The table says which release wrote it, and an earlier one is refused before a deployment changes any other function.
import { CustomResource, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { fixLogicalId } from './logical-id.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** CloudFormation would wait an hour for an answer. With its repetitions, the function takes no longer than this. */
const ANSWERED_WITHIN = Duration.minutes(10);

/** A resource whose making is the check: CloudFormation asks again when one of its properties changes. */
export class ReleaseCheck extends Construct {
  readonly #mark: CustomResource;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps, release: string) {
    super(scope, id);
    const check = new ServiceFunction(this, 'CheckRelease', props);
    this.#mark = new CustomResource(this, 'Mark', {
      resourceType: 'Custom::Release',
      serviceToken: check.functionArn,
      serviceTimeout: ANSWERED_WITHIN,
      properties: {
        Release: release,
        AllowOlderRelease: String(props.stage.allow_older_release),
        // A restored table has another mark.
        TableName: props.storage.table.tableName,
      },
    });
    fixLogicalId(this.#mark, 'ReleaseMark');
  }

  /** Neither code nor rights of these functions change before the check. */
  comesBefore(functions: readonly ServiceFunction[]): void {
    for (const { node } of functions.flatMap((one) => [one, one.ownRole]))
      node.defaultChild?.node.addDependency(this.#mark);
  }
}
