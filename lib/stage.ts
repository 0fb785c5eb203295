// Settings of a stage: read from the CDK context, checked, with defaults.
import type { Node } from 'constructs';
import * as z from 'zod';
import { ModelSetting, PriceTable } from '../functions/contract/models.ts';

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

/** A model setting of a stage. A right on a Bedrock model is granted by the model's id, so it cannot be an ARN. */
const StageModel = ModelSetting.refine(
  (setting) => !setting.startsWith('bedrock:') || /^bedrock:[\w.-]+(:\d+\w*)*$/.test(setting),
  'A stage names a Bedrock model by its id',
);

export const Stage = z.strictObject({
  model: StageModel.default('offline'),
  /** USD per million tokens by model; absent: the built-in table. All variables of a function share 4 KB. */
  prices: z
    .preprocess(parsed, PriceTable)
    .refine((table) => JSON.stringify(table).length <= 2500, 'the table must fit in 2500 characters')
    .optional(),
  /** Model that turns texts into vectors, spelled as `model`; absent: the offline embedding. */
  embedding_model: StageModel.optional(),
  /** Where vectors are searched: all of a workspace in the table, or an index in Amazon S3 Vectors. */
  vectors: z.enum(['table', 's3']).default('table'),
  /** Numbers in a vector of the embedding model, for the index; 256 is the offline embedding's. */
  vector_dimensions: number(1, 4096).default(256),
  /** Where the service is reached, without a slash at the end; absent: the URL of the API's stage. */
  site_url: z
    .string()
    .regex(/^https?:\/\/[^/]+(\/[^/]+)*$/, 'expected a URL without a slash at the end')
    .optional(),
  /** A slice ends early enough for one more model call before the function's 15 minutes are over. */
  slice_seconds: number(1, 500).default(480),
  /** Ends a slice after so many steps; absent: only time ends it. */
  steps_per_slice: number(1, 50).optional(),
  max_parallel_calls: number(1, 64).default(8),
  log_retention_days: number(1, 3653).default(30),
});
export type Stage = z.infer<typeof Stage>;

/**
 * Reads the stage's settings from the context of `node`. Throws an Error whose message names each wrong setting.
 */
export function readStage(node: Node): Stage {
  const context = Object.fromEntries(
    Object.keys(Stage.shape).map((name) => [name, node.tryGetContext(name) ?? undefined]),
  );
  const result = Stage.safeParse(context);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Wrong stage settings (context): ${wrong.join('; ')}`);
}
