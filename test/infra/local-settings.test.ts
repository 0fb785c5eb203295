// The settings of a local start, in its one template, are those of a synth with them (rules.md: local 2).
import { expect, test } from 'vitest';
import { startContext } from '../../bin/program/synth.ts';
import { parseModelsFile } from '../../functions/contract/model-endpoints.ts';
import { type StageSettings, withSettings } from '../../lib/local/template/settings.ts';
import { fields, ofType, synthesize } from '../support/synthesize.ts';

const context = (settings: object) => ({ ...settings, reserved_concurrency: {} });
const template = synthesize(startContext);

/** In an account alone: where the key of an endpoint is. On one machine keys are variables. */
const OF_ACCOUNT = ['MODEL_API_KEY_SECRET_ARN', 'ONE_MODEL_HOST'];

/** The variables of each function. */
const variablesOf = (resources: ReturnType<typeof ofType>) =>
  Object.fromEntries(
    Object.entries(resources).map(([name, { Properties }]) => {
      const variables = Object.entries(fields(fields(Properties.Environment).Variables));
      return [name, Object.fromEntries(variables.filter(([variable]) => !OF_ACCOUNT.includes(variable)))];
    }),
  );

const endpoint = {
  name: 'small',
  provider: 'openai',
  model: 'm',
  base_url: 'http://127.0.0.1:1/v1',
} as const;
const prices = { m: { input: 1, cached_input: 0.5, output: 2 } };
const models = parseModelsFile({
  chat: [{ ...endpoint, price: prices.m }],
  embedding: { ...endpoint, name: 'vectors', dimensions: 256, price: prices.m },
});

test.each<[string, StageSettings]>([
  ['nothing', { model: 'offline' }],
  [
    'a model with prices and embeddings',
    {
      model: 'openai:m@http://127.0.0.1:1/v1',
      embedding_model: 'openai:e@http://127.0.0.1:2/v1',
      prices,
    },
  ],
  [
    'a model of Bedrock and a collector',
    {
      model: 'bedrock:amazon.nova-lite-v1:0',
      otlp_endpoint: 'http://127.0.0.1:4318/',
    },
  ],
  ['a models file', { models }],
])('with %s each function has the variables of a synth', (_, settings) => {
  const patched = withSettings(JSON.parse(JSON.stringify(template)), settings);
  const functions = ofType(
    { ...template, Resources: fields(patched.Resources) as typeof template.Resources },
    'AWS::Lambda::Function',
  );
  const made = synthesize(context(settings));
  expect(variablesOf(functions)).toEqual(variablesOf(ofType(made, 'AWS::Lambda::Function')));
  const missing = Object.keys(made.Resources).filter((id) => !Object.hasOwn(template.Resources, id));
  // The name of the deployment has a digest of the API; the secret is the key's.
  expect(missing.filter((id) => !/^ApiRestDeployment|^ModelApiKey$/.test(id))).toEqual([]);
});
