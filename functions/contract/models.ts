// The settings that name a model and its price: flags of the local service, stage settings, function variables.
import * as z from 'zod';

export type ModelSpec =
  | { provider: 'offline' }
  | { provider: 'bedrock'; model: string }
  | { provider: 'openai'; model: string; base_url: string };

/** How many models answer in turn. */
export const MODELS_IN_LIST = 4;

/** The forms of a model setting, for the operator who wrote another one or none. */
export const MODEL_FORMS =
  'offline, bedrock:<model id>, openai:<model>@<base url> (a base url begins with http:// or https://)';

function specOf(setting: string): ModelSpec | undefined {
  if (setting === 'offline') return { provider: 'offline' };
  const bedrock = /^bedrock:([^\s,]+)$/.exec(setting)?.[1];
  if (bedrock) return { provider: 'bedrock', model: bedrock };
  const [, model, base_url] = /^openai:([^\s,]+?)@(https?:\/\/[^\s,]+)$/.exec(setting) ?? [];
  return model && base_url && URL.canParse(base_url) ? { provider: 'openai', model, base_url } : undefined;
}

/** One model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (rules.md: local 6). */
export const ModelSetting = z.string().refine((setting) => specOf(setting) !== undefined, {
  abort: true,
  error: ({ input }) => `"${input}" is none of: ${MODEL_FORMS}`,
});

/** The models of a list, as they are written. An address has no comma, so none is taken for a part of one. */
const inList = (setting: string): string[] => setting.split(',');

/** One model, or several that answer in this order, with a comma between (rules.md: models 21). */
export const ModelListSetting = z.string().superRefine((setting, context) => {
  const wrong = (message: string) => context.addIssue({ code: 'custom', message, continue: false });
  const settings = inList(setting);
  for (const one of settings) {
    const checked = ModelSetting.safeParse(one);
    if (!checked.success) return wrong(checked.error.issues[0]?.message ?? MODEL_FORMS);
  }
  const names = settings.map((one) => modelName(parseModelSpec(one)));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (names.length > MODELS_IN_LIST) wrong(`${names.length} models, at most ${MODELS_IN_LIST} make a list`);
  else if (twice !== undefined) wrong(`"${twice}" is there twice`);
  else if (names.length > 1 && names.some(isSimulated))
    wrong('"offline" stands alone: it is no other one\'s substitute');
});

/** Parses the models of a setting. Throws Error with one line for the operator when one has none of the three forms. */
export const parseModelList = (setting: string): ModelSpec[] => inList(setting).map(parseModelSpec);

/** Parses a model setting. Throws Error with one line for the operator when it has none of the three forms. */
export function parseModelSpec(setting: string): ModelSpec {
  const spec = specOf(setting);
  if (!spec) throw new Error(`The model setting "${setting}" is none of: ${MODEL_FORMS}`);
  return spec;
}

/** A model's name in the price table. */
export function modelName(spec: ModelSpec): string {
  return spec.provider === 'offline' ? 'offline' : spec.model;
}

/** Whether a model of this name rehearses: its answers follow rules, and their cost is not real. */
export const isSimulated = (name: string): boolean => name === modelName({ provider: 'offline' });

/** Decimals of a price, which make a token cost a whole number of 1e-12 USD. */
export const PRICE_DECIMALS = 6;

const UsdPerMillion = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine(
    (price) => Number(price.toFixed(PRICE_DECIMALS)) === price,
    `A price has at most ${PRICE_DECIMALS} decimals`,
  );

/** A model's price in USD per million tokens; `as_of` is the day it was looked up. */
export const Price = z.strictObject({
  input: UsdPerMillion,
  cached_input: UsdPerMillion,
  output: UsdPerMillion,
  as_of: z.iso.date().optional(),
});
export type Price = z.infer<typeof Price>;

/** Prices by model name (rules.md: local 6). */
export const PriceTable = z.record(z.string().min(1), Price);
export type PriceTable = z.infer<typeof PriceTable>;

/** Parses a price table. Throws Error with one line that names every fault. */
export function parsePriceTable(table: unknown): PriceTable {
  const parsed = PriceTable.safeParse(table);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    ({ path, message }) => `${path.map((name) => `"${String(name)}"`).join('.')}: ${message}`,
  );
  throw new Error(`The price table is wrong: ${wrong.join('; ')}`);
}
