// How much fits in a call of one endpoint, as the endpoint tells it; remembered for the process (rules.md: models 10).
import type { Endpoint } from './endpoint.ts';
import { limitsOf } from './endpoint-limits.ts';
import { ModelError, type ModelLimits } from './model.ts';

/** An endpoint that was asked in vain is asked again after this time. */
const ASK_AGAIN_MS = 60_000;
const CONTEXT = [
  /(?:maximum|max|context|window|limit)\D{0,40}?(\d[\d,._]{2,})\s*(?:tokens|input)/i,
  /n_ctx\D{0,10}(\d{3,})/i,
  /(?:context|window)\D{0,40}?(\d[\d,._]{2,})/i,
];

/** The context that the words of a refusal name; undefined: none. */
export function contextIn(words: string): number | undefined {
  for (const form of CONTEXT) {
    const tokens = Number(form.exec(words)?.[1]?.replace(/[,._]/g, ''));
    if (Number.isSafeInteger(tokens)) return tokens;
  }
  return undefined;
}

export interface ContextSize {
  limits(): Promise<ModelLimits>;
  /** Takes what a refusal for length says; then throws it on. */
  learn(error: unknown): never;
}

/** `ask`: what the endpoint's list of models says; undefined: nothing. */
export function contextSize(endpoint: Endpoint, ask: () => Promise<number | undefined>): ContextSize {
  let refusedAt: number | undefined;
  let asked: { at: number; stated: Promise<number | undefined> } | undefined;
  let isStated = endpoint.context_tokens !== undefined;
  async function stated(): Promise<number | undefined> {
    if (endpoint.context_tokens !== undefined) return undefined;
    if (!asked || (!isStated && Date.now() - asked.at > ASK_AGAIN_MS))
      asked = { at: Date.now(), stated: ask().catch(() => undefined) };
    const tokens = await asked.stated;
    isStated = tokens !== undefined;
    return tokens;
  }
  return {
    async limits() {
      const size = await stated();
      const setting = endpoint.context_tokens ?? size;
      if (refusedAt === undefined || (setting !== undefined && setting <= refusedAt))
        return limitsOf(endpoint, size);
      return limitsOf({ ...endpoint, context_tokens: refusedAt }, undefined);
    },
    learn(error) {
      if (error instanceof ModelError && error.fault.reason === 'input_too_long')
        refusedAt = contextIn(error.fault.provider?.message ?? '') ?? refusedAt;
      throw error;
    },
  };
}
