// The context that an OpenAI-compatible server tells of a model in its list of models.
import * as z from 'zod';
import type { Endpoint } from '#models/endpoint.ts';

const ASKED_WITHIN_MS = 3000;

const Tokens = z.number().int().positive().optional().catch(undefined);
const Listed = z.object({
  data: z.array(
    z.object({
      id: z.string().optional().catch(undefined),
      max_model_len: Tokens,
      context_length: Tokens,
      meta: z.object({ n_ctx_train: Tokens }).nullish().catch(undefined),
    }),
  ),
});

/** Tokens; undefined if the list does not say it of the model. Rejects when there is no such list. */
export async function statedContext(
  { base_url = '', model }: Endpoint,
  key: string | undefined,
): Promise<number | undefined> {
  const reply = await fetch(`${base_url.replace(/\/$/, '')}/models`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(ASKED_WITHIN_MS),
    redirect: 'manual',
  });
  if (!reply.ok) {
    await reply.body?.cancel();
    return undefined;
  }
  const { data } = Listed.parse(await reply.json());
  const one = data.find(({ id }) => id === model) ?? (data.length === 1 ? data[0] : undefined);
  return one?.max_model_len ?? one?.context_length ?? one?.meta?.n_ctx_train;
}
