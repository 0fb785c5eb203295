// The JSON Schema of an answer: only keywords that every provider takes in strict structured output.
import * as z from 'zod';

const AnswerType = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
type AnswerType = z.infer<typeof AnswerType>;

/** A schema: every property of an object is required and no other is allowed. Parsing leaves other keywords out. */
export interface AnswerSchema {
  type?: AnswerType | AnswerType[] | undefined;
  properties?: Record<string, AnswerSchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: false | undefined;
  items?: AnswerSchema | undefined;
  enum?: (string | number)[] | undefined;
  anyOf?: AnswerSchema[] | undefined;
}

export const AnswerSchema: z.ZodType<AnswerSchema> = z.object({
  type: z.union([AnswerType, z.array(AnswerType)]).optional(),
  properties: z
    .record(
      z.string(),
      z.lazy(() => AnswerSchema),
    )
    .optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false).optional(),
  items: z.lazy(() => AnswerSchema).optional(),
  enum: z.array(z.union([z.string(), z.number()])).optional(),
  anyOf: z.array(z.lazy(() => AnswerSchema)).optional(),
});
