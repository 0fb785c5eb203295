// The settings of a start, in a template that has a value for each of them: no start needs a synth.
import type { ModelsFile } from '../../../functions/contract/model-endpoints.ts';
import type { PriceTable } from '../../../functions/contract/models.ts';
import { packVariable } from '../../../functions/contract/packed-variable.ts';
import { type JsonObject, objectAt } from '../json-values.ts';

/** Settings of a stage that one machine can have, by their names there. Absent ones have the stage's defaults. */
export interface StageSettings {
  model?: string;
  embedding_model?: string;
  prices?: PriceTable;
  /** In place of the three above. */
  models?: ModelsFile;
  /** Without one no function hands on a trace; the queue stays, and is empty. */
  otlp_endpoint?: string;
}

/**
 * The template with these settings: the variables of its functions are those of a synth with them. Keys of endpoints
 * come from the environment, so the secret that has them in an account is not needed.
 */
export function withSettings(template: JsonObject, settings: StageSettings): JsonObject {
  const resources = Object.entries(objectAt(template.Resources, 'Resources'));
  return {
    ...template,
    Resources: Object.fromEntries(resources.map(([id, value]) => [id, resourceWith(settings, id, value)])),
  };
}

function resourceWith(settings: StageSettings, id: string, value: JsonObject[string]) {
  const resource = objectAt(value, id);
  if (resource.Type !== 'AWS::Lambda::Function') return resource;
  const properties = objectAt(resource.Properties, id);
  const environment = objectAt(properties.Environment, id);
  const old = objectAt(environment.Variables, id);
  const variables = { ...old, ...models(settings, old), ...traces(settings, old) };
  const set = Object.entries(variables).filter(([, one]) => one !== undefined);
  const Environment = { ...environment, Variables: Object.fromEntries(set) };
  return { ...resource, Properties: { ...properties, Environment } };
}

/** Of the models, in functions that have one. An undefined value takes its variable away. */
function models(
  { model = 'offline', embedding_model, prices, models: file }: StageSettings,
  old: JsonObject,
) {
  if (old.EMBEDDING_MODEL === undefined) return {};
  if (file) return { MODEL: undefined, EMBEDDING_MODEL: undefined, MODELS: packVariable(file) };
  const chat = old.MODEL === undefined ? {} : { MODEL: model, PRICES: prices && JSON.stringify(prices) };
  return { ...chat, EMBEDDING_MODEL: embedding_model };
}

/** Of traces: without a collector they have no queue. */
function traces({ otlp_endpoint }: StageSettings, old: JsonObject) {
  if (otlp_endpoint === undefined) return { TRACE_QUEUE_URL: undefined, OTLP_ENDPOINT: undefined };
  return old.OTLP_ENDPOINT === undefined ? {} : { OTLP_ENDPOINT: otlp_endpoint };
}
