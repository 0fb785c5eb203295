// One call of a model with its time and tokens, for the trace of its run.
import { isSimulated } from '#contract/models.ts';
import type { Attempt, TokenUsage } from '#models/model.ts';
import { cut } from '#platform/cut.ts';
import { observe } from '#platform/observations.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';

const ERROR_MAX_CHARACTERS = 100;

/** Makes a call, and hands over what the trace shows of it, also when it fails. Throws what the call throws. */
export async function tracedTry<T>(
  model: string,
  attempt: Attempt,
  call: (attempt: Attempt) => Promise<T>,
  tried: (one: ModelTry) => void,
): Promise<T> {
  const at = Date.now();
  const tokens = { in: 0, out: 0 };
  const onReply = (usage: TokenUsage | null) => {
    tokens.in += usage?.input_tokens ?? 0;
    tokens.out += (usage?.output_tokens ?? 0) + (usage?.thinking_tokens ?? 0);
    attempt.onReply(usage);
  };
  const end = (error?: unknown) => {
    const ms = Date.now() - at;
    observe({ what: 'model_call', ms });
    tried({
      at,
      ms,
      ...(!isSimulated(model) && { model }),
      ...(tokens.in > 0 && { in: tokens.in }),
      ...(tokens.out > 0 && { out: tokens.out }),
      ...(error !== undefined && {
        error: cut(error instanceof Error ? error.message : 'unknown', ERROR_MAX_CHARACTERS),
      }),
    });
  };
  try {
    const result = await call({ ...attempt, onReply });
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}
