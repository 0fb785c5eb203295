// Access to models: a permission for Bedrock, an API key for other endpoints.
import { Aws } from 'aws-cdk-lib';
import { type ModelSpec, parseModelSpec } from '../../functions/contract/models.ts';
import type { Reasons } from './acknowledge.ts';

/** Prefixes of inference profiles: the id of one model in several regions. */
const profile = /^(us|us-gov|eu|apac|au|ca|jp|global)\./;

export interface ModelAccess {
  /** ARNs that need `bedrock:InvokeModel`. */
  arns: string[];
  /** Why some of them end in `*`, by finding of the security rules. */
  wildcards: Reasons;
}

/** Access that these settings need on Bedrock; none for other models. */
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

/** Whether one of these settings is an endpoint with an API key. */
export function needsModelKey(settings: readonly (string | undefined)[]): boolean {
  return specsOf(settings).some(({ provider }) => provider === 'openai');
}

/** Whether all endpoints with an API key are at one host, so that a secret with one key is for all. */
export function isOneHost(settings: readonly (string | undefined)[]): boolean {
  const hosts = specsOf(settings).flatMap((spec) =>
    spec.provider === 'openai' ? [new URL(spec.base_url).origin] : [],
  );
  return new Set(hosts).size === 1;
}

function specsOf(settings: readonly (string | undefined)[]): ModelSpec[] {
  return settings.flatMap((setting) => (setting === undefined ? [] : [parseModelSpec(setting)]));
}
