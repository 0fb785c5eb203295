// Findings of the security rules that are answered with a reason instead of a change.
import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Rule of cdk-nag's AwsSolutions pack, without the pack's name (`SMG4`, `IAM5[Resource::*]`), to the reason. */
export type Reasons = Readonly<Record<string, string>>;

/** Records why these findings remain, on `scope` and everything below it. */
export function acknowledge(scope: IConstruct, reasons: Reasons): void {
  Validations.of(scope).acknowledge(
    ...Object.entries(reasons).map(([rule, reason]) => ({
      id: `AwsSolutions::AwsSolutions-${rule}`,
      reason,
    })),
  );
}
