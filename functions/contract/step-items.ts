// What a step of a run passed on, or dropped (rules.md: reads).
import * as z from 'zod';
import { JsonObject } from './json.ts';
import { limits } from './limits.ts';

export const WhichItems = z.enum(['out', 'dropped']);

/** An item as a step left it. */
const StepItem = z
  .strictObject({
    id: z.string().nullable(),
    name: z.string(),
    type: z.string(),
    fields: JsonObject,
    score: z.number().optional(),
  })
  .meta({ id: 'StepItem' });
export type StepItem = z.infer<typeof StepItem>;

export const StepItemList = z
  .strictObject({
    object: z.literal('list'),
    total: z.number().int().nonnegative(),
    data: z.array(StepItem).max(limits.step_items_page_max),
  })
  .meta({ id: 'StepItemList' });
export type StepItemList = z.infer<typeof StepItemList>;
