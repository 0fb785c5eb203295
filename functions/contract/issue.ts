// One failed check of a request.
import * as z from 'zod';

/** One failed check of a request (rules.md: errors 3). */
export const Issue = z
  .strictObject({
    code: z.string(),
    expected: z.string(),
    received: z.string(),
    path: z.array(z.union([z.string(), z.number().int()])),
    message: z.string(),
  })
  .meta({ id: 'Issue' });
export type Issue = z.infer<typeof Issue>;
