// Why a call of a model failed, as clients read it in `details` (rules.md: models 3).
import * as z from 'zod';

/**
 * `away`: it passes. `refused`: it does not, until a setting or the request changes. The others are answers that cannot
 * be used: cut off by the limit of the output, kept back by a content filter or a refusal, or not the JSON asked for.
 */
export const ModelCause = z
  .enum(['away', 'refused', 'cut_off', 'filtered', 'unusable'])
  .meta({ id: 'ModelErrorReason' });
export type ModelCause = z.infer<typeof ModelCause>;

/** What the provider said. */
export const ProviderWords = z
  .strictObject({
    status_code: z.number().int().optional(),
    /** Its words, to 200 characters, without keys and control characters. */
    message: z.string(),
  })
  .meta({ id: 'ProviderDetails' });
export type ProviderWords = z.infer<typeof ProviderWords>;

/** Why a call failed. */
export const ModelFault = z.strictObject({
  cause: ModelCause,
  provider: ProviderWords.optional(),
  /** The name of the model that refused. */
  model: z.string().optional(),
  reason: z.literal('input_too_long').optional(),
});
export type ModelFault = z.infer<typeof ModelFault>;
