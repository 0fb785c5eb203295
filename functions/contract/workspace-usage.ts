// What the runs of a workspace came to, by day and by other groups (rules.md: usage 12).
import * as z from 'zod';
import { limits } from './limits.ts';
import { InputType, RunStatus } from './runs.ts';

/** By what runs may be grouped. */
export const UsageGroup = z.enum(['day', 'key', 'status', 'input_type', 'monitor', 'model']);
export type UsageGroup = z.infer<typeof UsageGroup>;

const Day = z.iso.date('Not a date like 2026-11-20');

/** One or two different groups, separated by a comma. */
const Groups = z
  .string()
  .refine(
    (text) => {
      const names = text.split(',');
      const known = names.every((name) => UsageGroup.safeParse(name).success);
      return known && names.length <= limits.usage_groups_max && new Set(names).size === names.length;
    },
    `One of ${UsageGroup.options.join(', ')}, or two of them with a comma between`,
  )
  .transform((text) => text.split(','))
  .pipe(z.array(UsageGroup).max(limits.usage_groups_max));

export const UsageQuery = z.strictObject({
  from: Day.optional(),
  to: Day.optional(),
  by: Groups.optional(),
});

const Ms = z.number().int().nonnegative().nullable();

export const UsageRow = z
  .strictObject({
    day: z.iso.date().optional(),
    key_id: z.string().optional(),
    status: RunStatus.optional(),
    input_type: InputType.optional(),
    monitor_id: z.string().nullable().optional(),
    model: z.string().nullable().optional(),
    runs: z.number().int().positive(),
    cost_usd: z.number().nonnegative(),
    input_tokens: z.number().int().nonnegative(),
    output_tokens: z.number().int().nonnegative(),
    p50_ms: Ms,
    p95_ms: Ms,
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageList = z
  .strictObject({ object: z.literal('list'), data: z.array(UsageRow).max(limits.usage_rows_max) })
  .meta({ id: 'UsageList' });
export type UsageList = z.infer<typeof UsageList>;
