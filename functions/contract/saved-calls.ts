// Model calls that a run keeps: each request that was sent, with its prompt and its answer (rules.md: calls).
import * as z from 'zod';
import { limits } from './limits.ts';
import { callOutcomes } from './model-outcomes.ts';
import { modelTasks } from './model-tasks.ts';

const count = z.number().int().nonnegative();

const CallMessage = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant']).meta({ id: 'CallRole' }),
    content: z.string(),
  })
  .meta({ id: 'CallMessage' });

const CallUsage = z
  .strictObject({
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    thinking_tokens: count,
    cost_usd: z.number().nonnegative(),
  })
  .meta({ id: 'CallUsage' });

/** One request to a model. */
export const SavedCall = z
  .strictObject({
    step_index: z.number().int().min(-1),
    attempt: count,
    call: count,
    task: z.enum(modelTasks).meta({ id: 'ModelTask' }),
    model: z.string(),
    messages: z.array(CallMessage),
    answer: z.string().nullable(),
    usage: CallUsage.nullable().meta({ id: 'NullableCallUsage' }),
    duration_ms: count,
    outcome: z.enum(callOutcomes).meta({ id: 'CallOutcome' }),
  })
  .meta({ id: 'SavedCall' });
export type SavedCall = z.infer<typeof SavedCall>;

export const SavedCallList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(SavedCall).max(limits.calls_page_max),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'SavedCallList' });
export type SavedCallList = z.infer<typeof SavedCallList>;
