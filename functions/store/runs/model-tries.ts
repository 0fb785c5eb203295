// What the trace of a run shows of its calls of models and live sources. It is stored with what is written anyway:
// events, the journal.
import * as z from 'zod';

/**
 * One call of a model or, with `source`, of a live source. Names are short, because commits are billed per KB.
 * Absent: no tokens, the offline model.
 */
export const ModelTry = z.object({
  /** Epoch ms. */
  at: z.number(),
  ms: z.number(),
  model: z.string().optional(),
  in: z.number().optional(),
  out: z.number().optional(),
  source: z.string().optional(),
  page: z.number().optional(),
  error: z.string().optional(),
});
export type ModelTry = z.infer<typeof ModelTry>;

/** The calls that a commit reports: those of one attempt of a step. */
export const TracedCalls = z.object({
  /** Position of the step; PLANNING or UNDERSTANDING. */
  position: z.number(),
  attempt: z.number(),
  tries: z.array(ModelTry),
});
export type TracedCalls = z.infer<typeof TracedCalls>;

/** Stands for the position of a step in the calls that understood a query before its run existed. */
export const UNDERSTANDING = 998;
