// The key of an endpoint: its own, and no other endpoint's (rules.md: models 2).
import { isJsonObject } from '#contract/json.ts';
import type { Endpoint } from './endpoint.ts';

/** Where the keys of this stage are. */
export interface KeyEnv {
  MODEL_API_KEY?: string | undefined;
  EMBEDDING_API_KEY?: string | undefined;
  OPENAI_API_KEY?: string | undefined;
  /** On one machine: the variables that a models file names, as JSON. */
  MODEL_KEYS?: string | undefined;
  /** On one machine: the region of Bedrock where an endpoint names none. */
  BEDROCK_REGION?: string | undefined;
  /** On AWS: a secret that is one key, or JSON with a field per key. */
  MODEL_API_KEY_SECRET_ARN?: string | undefined;
  /** On AWS: set when model and embedding are at one host, so that a secret with one key is for both. */
  ONE_MODEL_HOST?: string | undefined;
}

const OPENAI = 'https://api.openai.com';

/** The key of an endpoint; undefined when it has none. `readSecret` gets the text of the secret. */
export async function keyOf(
  endpoint: Endpoint,
  env: KeyEnv,
  readSecret: (arn: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const arn = env.MODEL_API_KEY_SECRET_ARN;
  const keys = arn ? keysIn(await readSecret(arn), Boolean(env.ONE_MODEL_HOST)) : variables(env);
  const own = endpoint.key_names.map((name) => keys.get(name)).find(Boolean);
  if (own !== undefined) return own;
  return originOf(endpoint.base_url) === OPENAI ? keys.get('OPENAI_API_KEY') : undefined;
}

/** The origin of an address; undefined when there is none. */
const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;

/** A secret that is no JSON object is the key of the short form. */
function keysIn(secret: string | undefined, forBoth: boolean): Map<string, string> {
  if (!secret) return new Map();
  const names = ['MODEL_API_KEY', ...(forBoth ? ['EMBEDDING_API_KEY'] : [])];
  return jsonKeys(secret) ?? new Map(names.map((name) => [name, secret]));
}

function variables({ MODEL_KEYS, MODEL_API_KEY, EMBEDDING_API_KEY, OPENAI_API_KEY }: KeyEnv) {
  const keys = Object.entries({ MODEL_API_KEY, EMBEDDING_API_KEY, OPENAI_API_KEY });
  const set = keys.flatMap(([name, key]) => (key ? [[name, key] as const] : []));
  return new Map([...set, ...(jsonKeys(MODEL_KEYS ?? '') ?? [])]);
}

function jsonKeys(text: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    return new Map(
      Object.entries(value).flatMap(([name, key]) => (typeof key === 'string' ? [[name, key]] : [])),
    );
  } catch {
    return undefined;
  }
}
