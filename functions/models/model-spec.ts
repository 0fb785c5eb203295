// The setting that names a model: `offline`, `bedrock:<model id>` or `openai:<model>@<base url>` (Contract 1, `--model`).

export type ModelSpec =
  | { provider: 'offline' }
  | { provider: 'bedrock'; model: string }
  | { provider: 'openai'; model: string; base_url: string };

/** Reads a model setting. Throws Error with a message for the operator when it is none of the three forms. */
export function parseModelSpec(spec: string): ModelSpec {
  if (spec === 'offline') return { provider: 'offline' };
  const bedrock = /^bedrock:(\S+)$/.exec(spec);
  if (bedrock?.[1]) return { provider: 'bedrock', model: bedrock[1] };
  const openai = /^openai:(\S+?)@(https?:\/\/\S+)$/.exec(spec);
  if (openai?.[1] && openai[2] && URL.canParse(openai[2]))
    return { provider: 'openai', model: openai[1], base_url: openai[2] };
  throw new Error(
    `The model setting "${spec}" is none of: offline, bedrock:<model id>, openai:<model>@<base url>`,
  );
}

/** The name by which the price table knows the model of a setting; null for offline embeddings, which cost nothing. */
export function modelName(spec: ModelSpec): string {
  return spec.provider === 'offline' ? 'offline' : spec.model;
}
