// The form of an answer, as each means of structured output says it (rules.md: models 5).
import type { ChatEndpoint } from '#contract/model-endpoints.ts';
import type { AnswerSchema } from '#models/tasks/answer-schema.ts';

/**
 * `json_schema`: the server makes the model follow the schema. `json_object`: it makes it write JSON; the schema is in
 * the prompt.
 */
export type Means = NonNullable<ChatEndpoint['structured']>;

const WANTED =
  'Answer with one JSON object and nothing else: no words before or after it, no code fence around it.';

/** What the instructions of a call say of the form: that JSON is wanted, and how, where the request does not say it. */
export function formWords(means: Means, schema: AnswerSchema): string {
  if (means === 'json_schema') return WANTED;
  return `${WANTED} It conforms to this JSON Schema, with every property that is required:\n${JSON.stringify(schema)}`;
}
