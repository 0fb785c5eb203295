// The `details` of each error code as schemas; the compiler keeps them equal to what `fail` asks for.
import * as z from 'zod';
import type { DetailsOf } from '../errors.ts';
import { EpochMs, Uuid } from '../json.ts';

const index = z.number().int();
const usd = z.number().nonnegative();
const spent = z.strictObject({ limit_usd: usd, spent_usd: usd, resets_at: EpochMs });
const unsupported = z.strictObject({ received: z.unknown(), allowed: z.array(z.string()) });
const issues = z.strictObject({
  issues: z.array(
    z.strictObject({
      code: z.string(),
      expected: z.string(),
      received: z.string(),
      path: z.array(z.union([z.string(), index])),
      message: z.string(),
    }),
  ),
});

/** Schema of `details` by code; a code absent here carries none (Contract 4.2). */
export const errorDetails = {
  unsupported_input_type: unsupported,
  unsupported_preset: unsupported,
  payload_too_large: z.strictObject({ max_bytes: index, received_bytes: index }),
  schema_validation_failed: issues,
  missing_required_field: issues,
  query_ambiguous: z.strictObject({
    reason: z.enum(['multiple_interpretations', 'missing_subject', 'too_broad']),
  }),
  entity_ambiguous: z.strictObject({ question: z.string(), candidate_ids: z.array(Uuid) }),
  entity_not_resolvable: z.strictObject({ ref: z.unknown() }),
  plan_too_large: z.strictObject({ max_steps: index, received: index }),
  invalid_callback_url: z.strictObject({ reason: z.enum(['invalid_url', 'not_https', 'private_address']) }),
  invalid_rerun_step: z.strictObject({ step_index: index, min_index: index, max_index: index }),
  auth_expired: z.strictObject({ expired_at: EpochMs }),
  forbidden_feature: z.union([
    z.strictObject({ required_scope: z.string() }),
    z.strictObject({ required_feature: z.string() }),
  ]),
  checkpoint_not_found: z.strictObject({ step_index: index }),
  idempotency_key_conflict: z.strictObject({ original_run_id: Uuid }),
  run_not_resumable: z.strictObject({
    status: z.string(),
    reason: z.enum(['not_failed', 'canceled', 'in_progress', 'no_saved_plan', 'run_not_terminal']),
  }),
  plan_fingerprint_mismatch: z.strictObject({ expected: z.string(), actual: z.string() }),
  concurrent_runs_exceeded: z.strictObject({ limit: index, in_flight: index }),
  workspace_cost_cap_exceeded: z.union([
    spent,
    z.strictObject({ reason: z.literal('credits'), required: z.number(), available: z.number() }),
  ]),
  cost_threshold_exceeded: spent,
  upstream_timeout: z.strictObject({ dependency: z.string(), timeout_ms: index }),
} as const satisfies { [Code in keyof DetailsOf]: z.ZodType<DetailsOf[Code]> };

/** Name of the component that holds the `details` of a code. */
export function detailsName(code: string): string {
  return `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Details`;
}
