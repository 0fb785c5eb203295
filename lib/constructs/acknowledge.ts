// Findings of the security rules that are answered with a reason instead of a change.
import type { IConstruct } from 'constructs';

/** What the CDK's `Validations` records; before 2.271 it takes no finding that has `::` in brackets. */
const RECORDED_AS = 'aws:cdk:acknowledged-rules';

/** Rule of cdk-nag's AwsSolutions pack, without the pack's name (`SMG4`, `IAM5[Resource::*]`), to the reason. */
export type Reasons = Readonly<Record<string, string>>;

/** Records why these findings remain, on `scope` and everything below it. */
export function acknowledge(scope: IConstruct, reasons: Reasons): void {
  for (const [rule, reason] of Object.entries(reasons))
    scope.node.addMetadata(RECORDED_AS, { [`AwsSolutions::AwsSolutions-${rule}`]: reason });
}
