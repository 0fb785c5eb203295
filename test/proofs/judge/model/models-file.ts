// The models file of the judge: the two servers, at invented prices.
import type { ModelsFile } from '#contract/model-endpoints.ts';
import { languageModel } from '#models/ai-sdk/providers.ts';
import { createModel } from '#models/create-model.ts';
import type { Model } from '#models/model.ts';

type Structured = ModelsFile['chat'][number]['structured'];

const price = { input: 1, cached_input: 0.1, output: 4 };
const common = { provider: 'openai', price, parallel: 2, timeout_ms: 120_000 } as const;
/** The dimensions of all-MiniLM-L6-v2. */
const DIMENSIONS = 384;

/** A models file; without `structured`, the service finds out what the server takes. */
export function modelsFile(
  chat: string,
  { embedding, structured }: { embedding?: string; structured?: Structured } = {},
): ModelsFile {
  return {
    chat: [
      {
        ...{ ...common, name: 'smol', model: 'smol', base_url: chat, max_output_tokens: 700 },
        ...(structured !== undefined && { structured }),
      },
    ],
    ...(embedding !== undefined && {
      embedding: {
        ...{ ...common, name: 'minilm', model: 'minilm', base_url: embedding, dimensions: DIMENSIONS },
      },
    }),
  };
}

/** The chat model of a file, as functions use it. */
export async function modelOf({ chat: [first] }: ModelsFile): Promise<Model> {
  if (!first) throw new Error('no chat');
  return {
    ...createModel('offline'),
    name: first.name,
    call: await languageModel({ ...first, key_names: [] }, {}),
  };
}
