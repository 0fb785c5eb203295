// Access to models: a permission for Bedrock, the secret with the API keys of other endpoints.
import { Aws } from 'aws-cdk-lib';
import { parseModelList } from '../../functions/contract/models.ts';
import type { Stage } from '../stage.ts';
import type { Reasons } from './acknowledge.ts';

/** An endpoint as far as access to it is concerned. */
export interface UsedEndpoint {
  model: string;
  /** Of an endpoint that is not on Bedrock. */
  base_url?: string;
  /** Of Bedrock; undefined: that of the stack. */
  region?: string;
  /** Whether it may have a key. */
  has_key: boolean;
}

/** The endpoints that a stage calls for chat. */
export const chatOf = ({ model, models }: Stage): UsedEndpoint[] =>
  models ? models.chat.map(inFile) : inSetting(model);

/** The endpoint that it calls for embeddings, if it has one. */
export function embeddingOf({ embedding_model, models }: Stage): UsedEndpoint[] {
  if (models) return models.embedding ? [inFile(models.embedding)] : [];
  return inSetting(embedding_model);
}

const OPENAI = /^https:\/\/api\.openai\.com(:443)?\//;

function inFile({
  model,
  base_url,
  region,
  key_env,
}: NonNullable<Stage['models']>['chat'][number]): UsedEndpoint {
  return {
    model,
    ...(base_url !== undefined && { base_url }),
    ...(region !== undefined && { region }),
    has_key: key_env !== undefined || OPENAI.test(base_url ?? ''),
  };
}

function inSetting(setting: string | undefined): UsedEndpoint[] {
  return parseModelList(setting ?? 'offline').flatMap((spec) => {
    if (spec.provider === 'offline') return [];
    if (spec.provider === 'bedrock') return { model: spec.model, has_key: false };
    return { model: spec.model, base_url: spec.base_url, has_key: true };
  });
}

/** Prefixes of inference profiles: the id of one model in several regions. */
const profile = /^(us|us-gov|eu|apac|au|ca|jp|global)\./;

export interface ModelAccess {
  /** ARNs that need `bedrock:InvokeModel`. */
  arns: string[];
  /** Why some of them end in `*`, by finding of the security rules. */
  wildcards: Reasons;
}

/** Access that these endpoints need on Bedrock; none for other models. */
export function bedrockAccess(endpoints: readonly UsedEndpoint[]): ModelAccess {
  const used = endpoints.filter(({ base_url }) => base_url === undefined);
  const profiles = used.filter(({ model }) => profile.test(model));
  const anywhere = profiles.map(({ model }) => model.replace(profile, ''));
  const arns = [
    ...used
      .filter((one) => !profiles.includes(one))
      .map(
        ({ model, region }) =>
          `arn:${Aws.PARTITION}:bedrock:${region ?? Aws.REGION}::foundation-model/${model}`,
      ),
    ...profiles.map(
      ({ model, region }) =>
        `arn:${Aws.PARTITION}:bedrock:${region ?? Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
    ),
    ...anywhere.map((id) => `arn:${Aws.PARTITION}:bedrock:*::foundation-model/${id}`),
  ];
  return {
    arns: [...new Set(arns)],
    wildcards: Object.fromEntries(
      anywhere.map((id) => [
        `IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${id}]`,
        'An inference profile may choose the region in which its one model answers.',
      ]),
    ),
  };
}

/** Whether one of these endpoints has an API key. */
export const needsModelKey = (endpoints: readonly UsedEndpoint[]): boolean =>
  endpoints.some(({ has_key }) => has_key);

/** Whether all endpoints with an API key are at one host, so that a secret with one key is for all. */
export function isOneHost(endpoints: readonly UsedEndpoint[]): boolean {
  const hosts = endpoints.flatMap(({ base_url, has_key }) =>
    has_key && base_url !== undefined ? [new URL(base_url).origin] : [],
  );
  return new Set(hosts).size === 1;
}
