// What real endpoints do where the protocol says otherwise, or nothing: habits of a fake one.

/** What a habit looks at in a request. */
export interface ChatRequest {
  response_format?: { type: string };
  messages: { role: string; content: string }[];
}

export interface HabitReply {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

/** The reply instead of the usual one, whose answer is `usual`; undefined: the usual one. */
export type Habit = (request: ChatRequest, usual: string) => HabitReply | undefined;

export const USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 300,
  total_tokens: 1300,
  prompt_tokens_details: { cached_tokens: 400 },
  completion_tokens_details: { reasoning_tokens: 100 },
};

/** The body of a reply with this text and unusual parts. */
export function completion(content: unknown, parts: { [name: string]: unknown } = {}): string {
  const { finish_reason = 'stop', message = {}, ...others } = parts;
  return JSON.stringify({
    id: 'chat',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content, ...Object(message) }, finish_reason }],
    usage: USAGE,
    ...others,
  });
}

const refusal = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }),
});

const typeOf = ({ response_format }: ChatRequest) => response_format?.type ?? 'text';
const knowsSchema = ({ messages }: ChatRequest) =>
  messages.some(({ content }) => content.includes('JSON Schema'));

/** Endpoints by how they take to `response_format`. */
export const formatHabits = {
  'refuses json_schema by 400': (request) =>
    typeOf(request) === 'json_schema'
      ? refusal(400, 'This response_format type is unavailable now')
      : undefined,
  'refuses any response_format by 422': (request) =>
    typeOf(request) === 'text' ? undefined : refusal(422, 'response_format: extra fields not permitted'),
  'refuses it without saying why': (request) =>
    typeOf(request) === 'text' ? undefined : refusal(400, 'Bad request'),
  'refuses json_schema by the 500 of llama-cpp-python': (request) =>
    typeOf(request) === 'json_schema'
      ? refusal(
          500,
          "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]",
        )
      : undefined,
  'ignores it and writes prose': (request) =>
    knowsSchema(request) ? undefined : { body: completion('Sure! Here is what I think of it.') },
  'ignores it and writes JSON of its own': (request) =>
    knowsSchema(request) ? undefined : { body: completion('{"answer":"yes"}') },
} as const satisfies Record<string, Habit>;

/** Endpoints by what they write around the JSON. */
export const writingHabits = {
  'in a code fence': (usual) => `\`\`\`json\n${usual}\n\`\`\``,
  'in a code fence with words around it': (usual) => `Of course:\n\n\`\`\`\n${usual}\n\`\`\`\nAnything else?`,
  'behind its thoughts': (usual) => `<think>\nMaybe {"verdicts":[]}? No.\n</think>\n\n${usual}`,
  'behind thoughts that began in the prompt': (usual) =>
    `So the answer is plain. {"a":1}\n</think>\n${usual}`,
  'with a sentence before it': (usual) => `Here is the JSON: ${usual}`,
  'with a sentence behind it': (usual) => `${usual}\n\nI hope [this] helps!`,
  'in parts': (usual) => [
    { type: 'text', text: usual.slice(0, 5) },
    { type: 'text', text: usual.slice(5) },
  ],
} as const satisfies Record<string, (usual: string) => unknown>;

/** Replies with status 200 that have no usable answer, by the cause that they are. */
export const answerHabits = {
  'cut off': { cause: 'cut_off', body: completion('{"findings":"a', { finish_reason: 'length' }) },
  'cut off before the answer': {
    cause: 'cut_off',
    body: completion('', { finish_reason: 'length', message: { reasoning_content: 'Hm.' } }),
  },
  filtered: { cause: 'filtered', body: completion(null, { finish_reason: 'content_filter' }) },
  'a refusal': {
    cause: 'filtered',
    body: completion(null, { message: { refusal: "I'm sorry, I can't help with that." } }),
  },
  'only reasoning': { cause: 'unusable', body: completion(null, { message: { reasoning_content: 'Hm.' } }) },
  'no text': { cause: 'unusable', body: completion('') },
  prose: { cause: 'unusable', body: completion('Acme stands out.') },
  'two objects': { cause: 'unusable', body: completion('{"findings":"a"} or {"findings":"b"}') },
  'a call of a tool': {
    cause: 'unusable',
    body: completion(null, {
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 't', type: 'function', function: { name: 'x', arguments: '{}' } }] },
    }),
  },
  'no choices': { cause: 'unusable', body: completion('', { choices: [] }) },
  'an error that does not pass': {
    cause: 'unusable',
    body: JSON.stringify({ error: { code: 400, message: 'no such provider' } }),
  },
  'a page': { cause: 'unusable', body: '<html><title>Sign in</title><p>Who are you?</p></html>' },
  'a page of 4.3 MB': { cause: 'unusable', body: `<html>${'<p>Wait.</p>'.repeat(390_000)}</html>` },
} as const;

/** Refusals: a status and the words of the provider. */
export const refusalHabits = {
  'the key': { status: 401, words: 'Incorrect API key provided.' },
  'an account without credit': { status: 402, words: 'Insufficient Balance' },
  'a region': { status: 403, words: 'Country, region, or territory not supported' },
  'the name of the model': { status: 404, words: 'The model `x` does not exist' },
  'the name of the model, by a 500': { status: 500, words: 'model "x" not found, try pulling it first' },
  'the length of the input': {
    status: 400,
    words: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    reason: 'input_too_long',
  },
} as const;

/** A refusal of any request. */
export const refuses =
  (status: number, words: string, headers: Record<string, string> = {}): Habit =>
  () => ({ ...refusal(status, words), headers });

/** Usage as providers tell it, and what of it is billed: input, cached, output and reasoning together. */
export const usageHabits = {
  'reasoning within the output': {
    usage: USAGE,
    billed: [1000, 400, 300],
  },
  'reasoning that the output lacks (xAI)': {
    usage: {
      prompt_tokens: 10_120,
      completion_tokens: 1499,
      total_tokens: 14_428,
      completion_tokens_details: { reasoning_tokens: 2809 },
    },
    billed: [10_120, 0, 4308],
  },
  'reasoning alone (Gemini)': {
    usage: {
      prompt_tokens: 21,
      completion_tokens: 0,
      total_tokens: 81,
      completion_tokens_details: { reasoning_tokens: 60 },
    },
    billed: [21, 0, 60],
  },
  'reasoning alone, without a total': {
    usage: {
      prompt_tokens: 21,
      completion_tokens: 0,
      completion_tokens_details: { reasoning_tokens: 60 },
    },
    billed: [21, 0, 60],
  },
  'reasoning in the total only': {
    usage: { prompt_tokens: 21, completion_tokens: 10, total_tokens: 81 },
    billed: [21, 0, 60],
  },
  'prompt_cache_hit_tokens (DeepSeek)': {
    usage: {
      prompt_tokens: 1000,
      completion_tokens: 10,
      total_tokens: 1010,
      prompt_cache_hit_tokens: 640,
      prompt_cache_miss_tokens: 360,
    },
    billed: [1000, 640, 10],
  },
  'cached_tokens outside of the details': {
    usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010, cached_tokens: 512 },
    billed: [1000, 512, 10],
  },
  'cache_read_input_tokens within the input': {
    usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010, cache_read_input_tokens: 800 },
    billed: [1000, 800, 10],
  },
  'cache_read_input_tokens that the input lacks': {
    usage: { prompt_tokens: 200, completion_tokens: 10, total_tokens: 1010, cache_read_input_tokens: 800 },
    billed: [1000, 800, 10],
  },
  'cached input that the input lacks, and reasoning that the output lacks': {
    usage: {
      prompt_tokens: 200,
      completion_tokens: 10,
      total_tokens: 1040,
      cache_read_input_tokens: 800,
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    billed: [1000, 800, 40],
  },
  'cache_read_input_tokens that the input lacks, and reasoning in the total only': {
    usage: { prompt_tokens: 900, completion_tokens: 10, total_tokens: 1740, cache_read_input_tokens: 800 },
    billed: [1700, 800, 40],
  },
} as const;
