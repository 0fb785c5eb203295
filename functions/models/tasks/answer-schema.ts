// The JSON Schema of an answer: only keywords that every provider takes in strict structured output.

type AnswerType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A schema. Every property of an object is required, and no other is allowed. */
export interface AnswerSchema {
  type?: AnswerType | AnswerType[];
  properties?: Record<string, AnswerSchema>;
  required?: string[];
  additionalProperties?: false;
  items?: AnswerSchema;
  enum?: (string | number)[];
  anyOf?: AnswerSchema[];
}

/** Providers refuse enums with more values or characters than some bound; a grammar of one is large. */
const ENUM_VALUES_MAX = 200;
const ENUM_CHARACTERS_MAX = 3000;

export const text: AnswerSchema = { type: 'string' };
export const flag: AnswerSchema = { type: 'boolean' };
export const whole: AnswerSchema = { type: 'integer' };
/** 0 no, 1 partly, 2 yes, 3 exactly. */
export const score: AnswerSchema = { type: 'integer', enum: [0, 1, 2, 3] };

/** An object with exactly these properties. */
export function formOf(properties: Record<string, AnswerSchema>): AnswerSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export function listOf(items: AnswerSchema): AnswerSchema {
  return { type: 'array', items };
}

/** One of these texts; any text where there are none, or too many for an enum. */
export function oneOf(values: Iterable<string>): AnswerSchema {
  const all = [...new Set(values)];
  const characters = all.reduce((sum, value) => sum + value.length, 0);
  const isSmall = all.length > 0 && all.length <= ENUM_VALUES_MAX && characters <= ENUM_CHARACTERS_MAX;
  return isSmall ? { type: 'string', enum: all } : text;
}

export function orNull(schema: AnswerSchema): AnswerSchema {
  return { anyOf: [schema, { type: 'null' }] };
}
