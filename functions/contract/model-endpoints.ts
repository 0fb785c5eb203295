// The models file: the endpoints of a stage or a local service, with their prices, and which of them does which task.
import * as z from 'zod';
import { JsonObject } from './json.ts';
import { modelTasks } from './model-tasks.ts';
import { Price } from './models.ts';

/** What applies where a models file says nothing. */
export const endpointDefaults = {
  context_tokens: 32_768,
  max_output_tokens: 4096,
  /** Without `max_output_tokens`, the output takes at most this part of the context. */
  output_share: 1 / 4,
  parallel: 8,
  timeout_ms: 120_000,
} as const;

/** Every call leaves this much of the context for its input. */
export const INPUT_TOKENS_MIN = 1024;

const Tokens = z.number().int().min(1).max(100_000_000);

const fields = {
  /** Its name in answers, usage and tasks. */
  name: z
    .string()
    .regex(/^[\w.:@/-]{1,100}$/, 'expected 1 to 100 letters, digits and any of . _ : @ / -')
    .refine((name) => name !== 'offline', '"offline" is the name of the built-in model'),
  provider: z.enum(['openai', 'bedrock']),
  model: z.string().min(1).max(500),
  /** The address of an OpenAI-compatible server, up to and with its version: `https://api.openai.com/v1`. */
  base_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !URL.canParse(url) || isBare(new URL(url)), 'takes no user name, query or fragment')
    .optional(),
  /** The variable with the endpoint's own key; of a stage, the field of the secret. Absent: it needs none. */
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'expected the name of a variable')
    .optional(),
  /** The region of Bedrock; absent: that of the service. */
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'expected a region, such as eu-central-1')
    .optional(),
  /** Tokens of input and output together; absent: stated by the endpoint. */
  context_tokens: Tokens.optional(),
  max_output_tokens: Tokens.optional(),
  /** Calls at once, of one process. */
  parallel: z.number().int().min(1).max(64).default(endpointDefaults.parallel),
  timeout_ms: z.number().int().min(1000).max(600_000).default(endpointDefaults.timeout_ms),
  /** How JSON is asked for; absent: found out. */
  structured: z.enum(['json_schema', 'json_object', 'prompt']).optional(),
  /** Members of each request's body, such as `temperature`. */
  options: JsonObject.optional(),
  price: Price,
};

/** A URL whose path can be extended. */
const isBare = ({ username, password, search, hash }: URL) =>
  username === '' && password === '' && search === '' && hash === '';

/** What one field alone cannot show. */
function checkEndpoint({
  value,
  issues,
}: z.core.ParsePayload<Omit<z.infer<z.ZodObject<typeof fields>>, 'price'>>): void {
  const wrong = (field: keyof typeof fields, message: string) =>
    issues.push({ code: 'custom', path: [field], message, input: value });
  const isBedrock = value.provider === 'bedrock';
  if (isBedrock && value.base_url !== undefined) wrong('base_url', 'only an openai endpoint has one');
  if (isBedrock && value.key_env !== undefined)
    wrong('key_env', 'Bedrock takes the rights of the service, or AWS_BEARER_TOKEN_BEDROCK');
  if (!isBedrock && value.base_url === undefined) wrong('base_url', 'an openai endpoint needs one');
  if (!isBedrock && value.region !== undefined) wrong('region', 'only a bedrock endpoint has one');
  const { context_tokens } = value;
  if (context_tokens === undefined) return;
  const left = context_tokens - outputTokens(context_tokens, value.max_output_tokens);
  if (left < INPUT_TOKENS_MIN)
    wrong(
      'context_tokens',
      `leaves ${left} tokens for the input beside max_output_tokens; at least ${INPUT_TOKENS_MIN} are needed`,
    );
}

/** A chat endpoint of a models file. */
export const ChatEndpoint = z.strictObject(fields).check(checkEndpoint);
export type ChatEndpoint = z.infer<typeof ChatEndpoint>;

/** The embedding endpoint of a models file. */
const EmbeddingEndpoint = z
  .strictObject({ ...fields, dimensions: z.number().int().min(1).max(4096) })
  .check(checkEndpoint)
  .refine(({ provider, options }) => provider === 'openai' || options === undefined, {
    path: ['options'],
    message: 'only an openai endpoint takes options for embeddings',
  });
export type EmbeddingEndpoint = z.infer<typeof EmbeddingEndpoint>;

/** A models file (rules.md: models 1). */
export const ModelsFile = z
  .strictObject({
    chat: z.array(ChatEndpoint).min(1).max(16),
    embedding: EmbeddingEndpoint.optional(),
    tasks: z.partialRecord(z.enum(modelTasks), z.string()).optional(),
  })
  .check(({ value: { chat, embedding, tasks }, issues }) => {
    const names = chat.map(({ name }) => name);
    const wrong = (path: (string | number)[], message: string) =>
      issues.push({ code: 'custom', path, message, input: path });
    names.forEach((name, index) => {
      if (names.indexOf(name) !== index) wrong(['chat', index, 'name'], `"${name}" is there twice`);
    });
    if (embedding && names.includes(embedding.name))
      wrong(['embedding', 'name'], `"${embedding.name}" is there twice`);
    for (const [task, name] of Object.entries(tasks ?? {}))
      if (!names.includes(name)) wrong(['tasks', task], `"${name}" is the name of no chat`);
  });
export type ModelsFile = z.infer<typeof ModelsFile>;

/** Tokens of the output in a context of this size, with or without a setting. */
export function outputTokens(contextTokens: number, setting: number | undefined): number {
  const { max_output_tokens, output_share } = endpointDefaults;
  return setting ?? Math.min(max_output_tokens, Math.floor(contextTokens * output_share));
}

/** A models file of parsed JSON. Throws Error with one line that names the first fault by its dotted place. */
export function parseModelsFile(value: unknown): ModelsFile {
  const parsed = ModelsFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const unknown = first?.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : [];
  const path = [...(first?.path ?? []), ...unknown].map(String).join('.');
  throw new Error([path, first?.message].filter(Boolean).join(': '));
}
