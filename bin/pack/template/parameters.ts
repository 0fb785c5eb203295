// What a template asks when a stack is made of it, in place of the settings with which it was synthesized.
import { retainDays } from '../../../functions/contract/retention.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonMap = Record<string, Json>;

/** Settings that are in no stage: where they stand in the template, a parameter belongs. */
export const stand_in = {
  bedrock: 'parameter.bedrock-v1:0',
  openai: 'https://parameter.invalid/v1',
  retain_days: 3649,
  log_retention_days: 2557,
  step_memory_mb: 9999,
  index_memory_mb: 9998,
} as const;

/** A model on Bedrock and one with a key, so that the template has the permission and the secret. */
export const MODELS = `bedrock:${stand_in.bedrock},openai:parameter@${stand_in.openai}`;
const price = { input: 1, cached_input: 1, output: 1 };
export const PRICES = { [stand_in.bedrock]: price, parameter: price };

/** A parameter, and the property that has its value. */
const OLDER = 'AllowOlderRelease';

const parameters: JsonMap = {
  Model: {
    Type: 'String',
    Description: 'offline, bedrock:<model id>, or openai:<model>@<base url>: then set the secret ModelApiKey',
    AllowedPattern: '^(offline|bedrock:[A-Za-z0-9._:-]+|openai:[^,@ ]+@https://[^, ]+)$',
  },
  RetainDays: {
    Type: 'String',
    Description: `Days after which a run is deleted, ${retainDays.min} to ${retainDays.max}; 0: never`,
    Default: '0',
    // 0, or 90 to 3650.
    AllowedPattern: '^(0|9[0-9]|[1-9][0-9]{2}|[12][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650)$',
  },
  LogRetentionDays: {
    Type: 'Number',
    Description: 'Days for which logs are stored',
    Default: 30,
    AllowedValues: [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2557, 3653],
  },
  StepMemoryMb: {
    Type: 'Number',
    Description: 'Memory of the function that executes steps',
    Default: 1024,
    MinValue: 512,
    MaxValue: 10_240,
  },
  IndexMemoryMb: {
    Type: 'Number',
    Description: 'Memory of the function that answers questions to records: a million records need 3008',
    Default: 3008,
    MinValue: 512,
    MaxValue: 10_240,
  },
  [OLDER]: {
    Type: 'String',
    Description: 'Whether this release may follow a later one, which is refused otherwise',
    Default: 'false',
    AllowedValues: ['false', 'true'],
  },
};

const ref = (name: string): Json => ({ Ref: name });
const NOTHING = ref('AWS::NoValue');
const when = (condition: string, then: Json, other: Json = NOTHING): Json => ({
  'Fn::If': [condition, then, other],
});

const HAS_TERM = 'HasTerm';
const HAS_KEY = 'HasModelKey';
const conditions: JsonMap = {
  [HAS_TERM]: { 'Fn::Not': [{ 'Fn::Equals': [ref('RetainDays'), '0'] }] },
  [HAS_KEY]: {
    'Fn::Equals': [{ 'Fn::Select': [0, { 'Fn::Split': [':', ref('Model')] }] }, 'openai'],
  },
};

/** What follows a text in another one; `none` where it is not in it. */
const after = (prefix: string, text: Json): Json => ({
  'Fn::Select': [1, { 'Fn::Split': [prefix, { 'Fn::Join': ['', [text, `${prefix}none`]] }] }],
});
const modelId = after('bedrock:', ref('Model'));
const arn = (...rest: Json[]): Json => ({
  'Fn::Join': ['', ['arn:', ref('AWS::Partition'), ':bedrock:', ...rest]],
});
/** Prefixes of inference profiles, each of which may answer in a region that it chooses. */
const PROFILES = ['us', 'us-gov', 'eu', 'apac', 'au', 'ca', 'jp', 'global'];

/** The model of the parameter, also as an inference profile, and nothing else on Bedrock. */
const modelArns: Json[] = [
  arn(ref('AWS::Region'), '::foundation-model/', modelId),
  arn(ref('AWS::Region'), ':', ref('AWS::AccountId'), ':inference-profile/', modelId),
  ...PROFILES.map((prefix) => arn('*::foundation-model/', after(`bedrock:${prefix}.`, ref('Model')))),
];

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const values = new Map<Json, Json>([
  [MODELS, ref('Model')],
  [String(stand_in.retain_days), when(HAS_TERM, ref('RetainDays'))],
  [stand_in.log_retention_days, ref('LogRetentionDays')],
  [stand_in.step_memory_mb, ref('StepMemoryMb')],
  [stand_in.index_memory_mb, ref('IndexMemoryMb')],
]);

/** The template with parameters for the stand-ins, without what only the CDK reads. Throws Error if one is left. */
export function withParameters(template: unknown): JsonMap {
  const secret = secretIn(template);
  const changed = change(template as Json, secret);
  if (!isMap(changed)) throw new Error('the template is no object');
  const resources = changed.Resources;
  if (!isMap(resources)) throw new Error('the template has no resources');
  const own = resources[secret];
  if (isMap(own)) own.Condition = HAS_KEY;
  const made = { ...changed, Parameters: parameters, Conditions: conditions };
  const text = JSON.stringify(changed);
  // As a whole word: the digits of a number may be part of a hash.
  for (const one of Object.values(stand_in))
    if (new RegExp(`\\b${one}\\b`).test(text)) throw new Error(`the template still has ${one}`);
  return made;
}

function secretIn(template: unknown): string {
  const [name] = /"ModelApiKey[^"]*"/.exec(JSON.stringify(template)) ?? [];
  if (name === undefined) throw new Error('the template has no secret for the key of a model');
  return JSON.parse(name);
}

function change(value: Json, secret: string): Json {
  if (Array.isArray(value)) return value.map((one) => change(one, secret));
  if (!isMap(value)) return values.get(value) ?? value;
  if (isStatement(value)) return statementFor(value, secret);
  const pairs = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    // The built-in table of prices is used, and the CDK's notes are for its own tools.
    if (name === 'PRICES' || name === 'Metadata') return [];
    if (name === OLDER) return [[name, ref(name)]];
    if (name === 'MODEL_API_KEY_SECRET_ARN' || name === 'ONE_MODEL_HOST') return [[name, when(HAS_KEY, one)]];
    if (name === 'ExpirationInDays' && one === stand_in.retain_days)
      return [
        [name, when(HAS_TERM, ref('RetainDays'))],
        ['ExpiredObjectDeleteMarker', when(HAS_TERM, NOTHING, true)],
      ];
    return [[name, change(one, secret)]];
  });
  return Object.fromEntries(pairs);
}

const isStatement = (value: JsonMap) => 'Effect' in value && 'Action' in value;

function statementFor(value: JsonMap, secret: string): Json {
  if (value.Action === 'bedrock:InvokeModel') return { ...value, Resource: modelArns };
  const isOfSecret =
    value.Action === 'secretsmanager:GetSecretValue' &&
    JSON.stringify(value.Resource).includes(`"${secret}"`);
  return isOfSecret ? when(HAS_KEY, value) : value;
}
