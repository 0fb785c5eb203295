// Describes a key: its permissions, and the limits and usage of its workspace.
import * as z from 'zod';
import { EpochMs, Uuid } from './json.ts';
import { features, Scope } from './scopes.ts';

const Whole = z.number().int();
const Count = Whole.nonnegative();
const Usd = z.number().nonnegative();

export const Tier = z.enum(['free', 'pro', 'enterprise']).meta({ id: 'Tier' });

/** The workspace of a key. */
const KeyWorkspace = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    tier: Tier,
    features: z.array(z.enum(features).meta({ id: 'Feature' })),
    max_concurrent_runs: Count,
    runs_in_flight: Count,
    daily_cost_cap_usd: Usd,
    cost_today_usd: Usd,
    credits_left: Whole.nullable(),
    credits_held: Whole.nullable(),
  })
  .meta({ id: 'KeyWorkspace' });

/** Body of `GET /me` (rules.md: keys 7). */
export const Me = z
  .strictObject({
    object: z.literal('key'),
    key_id: z.string(),
    name: z.string(),
    scopes: z.array(Scope),
    expires_at: EpochMs.nullable(),
    daily_cost_limit_usd: Usd.nullable(),
    cost_today_usd: Usd,
    model: z
      .strictObject({
        name: z.string(),
        simulated: z.boolean(),
        available: z.boolean(),
        retry_at: EpochMs.optional(),
      })
      .meta({ id: 'KeyModel' }),
    workspace: KeyWorkspace,
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof Me>;
