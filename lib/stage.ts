// Stage settings: read from the CDK context, validated, with defaults.
import { readFileSync } from 'node:fs';
import type { Node } from 'constructs';
import * as z from 'zod';
import { ModelsFile } from '../functions/contract/model-endpoints.ts';
import {
  MODEL_FORMS,
  ModelListSetting,
  ModelSetting,
  modelName,
  PriceTable,
  parseModelList,
} from '../functions/contract/models.ts';
import { packVariable } from '../functions/contract/packed-variable.ts';
import { builtInPrices } from '../functions/contract/prices.ts';
import { retainDays } from '../functions/contract/retention.ts';
import { routeNames } from '../functions/contract/routes.ts';
import { type FunctionName, functionNames } from './entries.ts';

/** Numbers and objects arrive as text when they come from `cdk -c name=value`. */
const number = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const parsed = (value: unknown) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** Whole numbers by name, also as JSON text. */
const numbersBy = <Name extends string>(names: readonly Name[], low: number) =>
  z.preprocess(parsed, z.partialRecord(z.enum(names), z.number().int().min(low)));

/** Lambda requires this much of an account's concurrency to stay unreserved. */
const UNRESERVED_MIN = 100;

/**
 * The percentage of an account's concurrency that is reserved for a function where a stage sets no reservations: its
 * readers can keep invocations busy, even without a key, and must not do so with all of them.
 */
const RESERVED_PERCENT = { Stream: 20, Download: 10 } as const satisfies Partial<
  Record<FunctionName, number>
>;
/** Below this concurrency of an account the default reservations would be too small to serve. */
const RESERVING_MIN = 500;

/** A stage's model setting. Bedrock permissions name the model's id, so it cannot be an ARN. */
const BEDROCK_ID = /^[\w.-]+(:\d+\w*)*$/;
const NAMED_BY_ID = 'A stage names a Bedrock model by its id';
const namedById = (setting: string) =>
  parseModelList(setting).every((spec) => spec.provider !== 'bedrock' || BEDROCK_ID.test(spec.model));
const StageModel = ModelSetting.refine(namedById, NAMED_BY_ID);
const StageModels = ModelListSetting.refine(namedById, NAMED_BY_ID);

/** A models file, also by its path. */
function contentOf(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(readFileSync(value, 'utf8'));
  } catch (error) {
    const message = `${value}: ${error instanceof SyntaxError ? 'not valid JSON' : 'cannot be read'}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
}

/** A function's variables share 4 KB. */
const MODELS_MAX_CHARACTERS = 2500;

/** A models file of a stage. Its Bedrock models are ids, for the same reason. */
const StageModelsFile = ModelsFile.superRefine(({ chat, embedding }, context) => {
  const endpoints = [...chat.entries()].map(([index, one]) => ({ path: ['chat', index], one }));
  for (const { path, one } of [...endpoints, ...(embedding ? [{ path: ['embedding'], one: embedding }] : [])])
    if (one.provider === 'bedrock' && !BEDROCK_ID.test(one.model))
      context.addIssue({ code: 'custom', path: [...path, 'model'], message: NAMED_BY_ID });
}).refine(
  (file) => packVariable(file).length <= MODELS_MAX_CHARACTERS,
  `the file must fit in ${MODELS_MAX_CHARACTERS} compressed characters: leave out endpoints or options`,
);

const Settings = z.strictObject({
  /** Name of the stack. Another name makes a second stage in the same account and region. */
  stack: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/)
    .default('RunService'),
  /** False for a first deployment: if it fails, it leaves nothing behind. */
  deletion_protection: z.preprocess(parsed, z.boolean()).default(true),
  /** Lets this release follow a later one, which is refused otherwise. */
  allow_older_release: z.preprocess(parsed, z.boolean()).default(false),
  /** A table restored from a backup, in place of the stack's own until it is imported; absent: the stack's own. */
  restored_table: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{3,255}$/)
    .optional(),
  /** No default: a stage whose model was forgotten would answer from the offline one. */
  model: StageModels.optional(),
  /** A models file, in place of `model`, `embedding_model` and `prices`. On the command line: its path. */
  models: z.preprocess(contentOf, StageModelsFile).optional(),
  /** USD per million tokens by model; absent: the built-in table. A function's variables share 4 KB. */
  prices: z
    .preprocess(parsed, PriceTable)
    .refine((table) => JSON.stringify(table).length <= 2500, 'the table must fit in 2500 characters')
    .optional(),
  /** The embedding model, spelled like `model`; absent: the offline embedding. */
  embedding_model: StageModel.optional(),
  /** Where vectors are searched: in the record index, or in an index of Amazon S3 Vectors per workspace. */
  vectors: z.enum(['table', 's3']).default('table'),
  /** Public URL of the service, without a trailing slash; absent: the URL of the API's stage. */
  site_url: z
    .string()
    .regex(/^https?:\/\/[^/]+(\/[^/]+)*$/, 'expected a URL without a slash at the end')
    .optional(),
  /** The collector that gets the trace of each run in OTLP/JSON when its log ends; absent: no trace is sent. */
  otlp_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  /** A slice ends early enough for one more model call within the function's 15 minutes. */
  slice_seconds: number(1, 500).default(480),
  /** Ends a slice after this many steps; absent: only time ends it. */
  steps_per_slice: number(1, 50).optional(),
  max_parallel_calls: number(1, 64).default(8),
  /** How long a run waits for models that are away, in all, where its config does not say. */
  model_wait_seconds: number(0, 86_400).default(3600),
  /** Memory of ExecuteSteps, which sets its price and CPU: waiting for a model needs little. */
  step_memory_mb: number(512, 10_240).default(1024),
  /** Memory of Records: a million records need 3 GB, which is also the maximum of a new account. */
  index_memory_mb: number(512, 10_240).default(3008),
  log_retention_days: number(1, 3653).default(30),
  /** Days after which a run is deleted with everything that belongs to it; absent: never. Applies to new runs. */
  retain_days: number(retainDays.min, retainDays.max).optional(),
  /** The account's concurrent executions in this region: alarms compare with it, and reservations must leave some. */
  account_concurrency: number(10, 100_000).default(1000),
  /**
   * Reserved executions by function, which are also its ceiling. All other functions share the rest. Absent: those of
   * RESERVED_PERCENT, if the account has enough.
   */
  reserved_concurrency: numbersBy(functionNames, 0).optional(),
  /** Requests per second of each method of a route, with bursts of twice as many; beyond: 429. */
  requests_per_second: number(1, 100_000).default(1000),
  /** The same for single routes, by name. */
  route_requests_per_second: numbersBy(routeNames, 1).default({}),
  /**
   * Minutes in which a deployment tries the functions that create and execute runs on a tenth of the calls, and goes
   * back when an alarm rings; 0: at once, behind the same aliases; absent: there are none.
   */
  canary_minutes: z.coerce
    .number()
    .pipe(z.literal([0, 5, 10, 15, 30]))
    .optional(),
  /** Makes the role by which API Gateway writes access logs, which an account has once in a region, and keeps. */
  api_gateway_log_role: z.preprocess(parsed, z.boolean()).default(false),
  /** A firewall rejects an address above this rate; absent: no firewall. */
  waf_requests_per_5_minutes: number(10, 2_000_000_000).optional(),
  /** The alarm topic is notified when the account's costs of a month pass it, or will; absent: no budget. */
  monthly_budget_usd: number(1, 1_000_000_000).optional(),
  /**
   * The header in which the proxy of `site_url` sends its client's address. Only for a proxy that sets it itself and
   * that requests cannot avoid; absent: the firewall counts by the address that connects.
   */
  waf_address_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,255}$/)
    .optional(),
});
const Checked = Settings.superRefine((stage, context) => {
  const { model, models, embedding_model, prices } = stage;
  const wrong = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (model === undefined && models === undefined)
    wrong('model', `not set. Name it: -c model=SPEC, one of ${MODEL_FORMS}; or -c models=FILE`);
  // One that has no price would answer when the others are away.
  const names = model === undefined ? [] : parseModelList(model).map(modelName);
  const missing = names.find((name) => !Object.hasOwn(prices ?? builtInPrices, name));
  if (names.length > 1 && missing !== undefined) wrong('model', `${missing} has no price: name it in prices`);
  if (models === undefined) return;
  for (const [name, setting] of Object.entries({ model, embedding_model, prices }))
    if (setting !== undefined) wrong('models', `has everything: leave out ${name}`);
});
export const Stage = Checked.transform((settings) => ({
  ...settings,
  reserved_concurrency: settings.reserved_concurrency ?? defaultReservations(settings.account_concurrency),
})).refine(
  ({ account_concurrency, reserved_concurrency }) =>
    reserved(reserved_concurrency) === 0 ||
    reserved(reserved_concurrency) <= account_concurrency - UNRESERVED_MIN,
  {
    path: ['reserved_concurrency'],
    message: `must leave ${UNRESERVED_MIN} of account_concurrency to all other functions`,
  },
);
export type Stage = z.infer<typeof Stage>;

/** The names of all settings. */
export const settingNames = Object.keys(Settings.shape);

function defaultReservations(accountConcurrency: number): Partial<Record<FunctionName, number>> {
  if (accountConcurrency < RESERVING_MIN) return {};
  const share = (percent: number) => Math.floor((accountConcurrency * percent) / 100);
  return Object.fromEntries(
    Object.entries(RESERVED_PERCENT).map(([name, percent]) => [name, share(percent)]),
  );
}

function reserved(byFunction: Readonly<Record<string, number | undefined>>): number {
  return Object.values(byFunction).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Settings that no stage can be made of; the message names each in one line. */
export class WrongSettings extends Error {}

/** Reads the stage's settings from the context of `node`. Throws WrongSettings. */
export function readStage(node: Node): Stage {
  const context = Object.fromEntries(
    settingNames.map((name) => [name, node.tryGetContext(name) ?? undefined]),
  );
  const result = Stage.safeParse(context);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new WrongSettings(`Wrong stage settings (context): ${wrong.join('; ')}`);
}
