// The models file of the judge: the two servers, at invented prices.
import { type ModelsFile, parseModelsFile } from '#contract/model-endpoints.ts';

/** The dimensions of all-MiniLM-L6-v2. */
const DIMENSIONS = 384;
const MAX_OUTPUT_TOKENS = 700;

const common = {
  ...{ provider: 'openai', parallel: 2, timeout_ms: 240_000 },
  price: { input: 1, cached_input: 0.1, output: 4 },
};

interface Addresses {
  chat: string;
  embedding?: string;
  /** Absent: the service finds out what the server takes. */
  structured?: 'json_schema' | 'json_object' | 'prompt';
}

/** A models file with the servers at these addresses. */
export function modelsFile({ chat, embedding, structured }: Addresses): ModelsFile {
  return parseModelsFile({
    chat: [
      {
        ...{ ...common, name: 'smol', model: 'smol', base_url: chat, max_output_tokens: MAX_OUTPUT_TOKENS },
        ...(structured !== undefined && { structured }),
      },
    ],
    ...(embedding !== undefined && {
      embedding: { ...common, name: 'minilm', model: 'minilm', base_url: embedding, dimensions: DIMENSIONS },
    }),
  });
}
