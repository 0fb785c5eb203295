// What calling a model takes: for Bedrock a right on that model, for other endpoints their key.
import { Aws } from 'aws-cdk-lib';
import { type ModelSpec, parseModelSpec } from '../../functions/contract/models.ts';
import type { Reasons } from './acknowledge.ts';

/** Prefixes of inference profiles: such an id stands for the same model in several regions. */
const profile = /^(us|us-gov|eu|apac|au|ca|jp|global)\./;

export interface ModelAccess {
  /** ARNs that `bedrock:InvokeModel` is needed on. */
  arns: string[];
  /** Why some of them end in `*`, by the finding of the security rules. */
  wildcards: Reasons;
}

/** What calling the models of these settings on Bedrock takes; nothing for models that are elsewhere. */
export function bedrockAccess(settings: readonly (string | undefined)[]): ModelAccess {
  const ids = specsOf(settings).flatMap((spec) => (spec.provider === 'bedrock' ? [spec.model] : []));
  const regional = ids.filter((id) => !profile.test(id));
  const profiles = ids.filter((id) => profile.test(id));
  const models = profiles.map((id) => id.replace(profile, ''));
  return {
    arns: [
      ...regional.map((id) => `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}::foundation-model/${id}`),
      ...profiles.map(
        (id) => `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${id}`,
      ),
      ...models.map((id) => `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${id}`),
    ],
    wildcards: Object.fromEntries(
      models.map((id) => [
        `IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${id}]`,
        'An inference profile may choose the region in which its one model answers.',
      ]),
    ),
  };
}

/** True when one of these model settings is an endpoint that asks for a key of its own. */
export function needsModelKey(settings: readonly (string | undefined)[]): boolean {
  return specsOf(settings).some(({ provider }) => provider === 'openai');
}

function specsOf(settings: readonly (string | undefined)[]): ModelSpec[] {
  return settings.flatMap((setting) => (setting === undefined ? [] : [parseModelSpec(setting)]));
}
