// API keys as those who manage them see them, and what they send.
import * as z from 'zod';
import { EpochMs, text } from './json.ts';
import { limits } from './limits.ts';
import { Scope } from './scopes.ts';

const Scopes = z.array(Scope);
const Limit = z.number().min(limits.usd_min).max(limits.key_daily_cost_limit_max_usd);

/** Body of `POST /keys`. */
export const CreateKey = z
  .strictObject({
    name: text(1, limits.key_name_max_characters),
    scopes: Scopes.min(1),
    expires_at: EpochMs.optional(),
    daily_cost_limit_usd: Limit.optional(),
  })
  .meta({ id: 'CreateKey' });
export type CreateKey = z.infer<typeof CreateKey>;

/** Body of `POST /keys/{id}/rotate`. */
export const RotateKey = z
  .strictObject({
    grace_seconds: z.number().int().min(0).max(limits.key_grace_max_seconds).optional(),
  })
  .meta({ id: 'RotateKey' });
export type RotateKey = z.infer<typeof RotateKey>;

/** A key without its text. */
export const Key = z
  .strictObject({
    key_id: z.string(),
    name: z.string(),
    scopes: Scopes,
    created_at: EpochMs,
    expires_at: EpochMs.nullable(),
    revoked_at: EpochMs.nullable(),
    daily_cost_limit_usd: z.number().nonnegative().nullable(),
    successor_of: z.string().nullable(),
    last_used_day: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .nullable(),
  })
  .meta({ id: 'Key' });
export type Key = z.infer<typeof Key>;

/** A new key: the only reply with its text. */
export const NewKey = z.strictObject({ ...Key.shape, api_key: z.string() }).meta({ id: 'NewKey' });
export type NewKey = z.infer<typeof NewKey>;

export const KeyList = z
  .strictObject({ object: z.literal('list'), data: z.array(Key) })
  .meta({ id: 'KeyList' });
