// One call of a model with its time and tokens, for the trace of its run.
import type { CallOutcomeName } from '#contract/model-outcomes.ts';
import { isSimulated } from '#contract/models.ts';
import { type Attempt, ModelError, type TokenUsage } from '#models/model.ts';
import type { TaskKind } from '#models/tasks/task-registry.ts';
import { count } from '#platform/count-metrics.ts';
import { cut } from '#platform/cut.ts';
import { log } from '#platform/log.ts';
import { observe } from '#platform/observations.ts';
import type { ModelTry } from '#store/runs/model-tries.ts';

const ERROR_MAX_CHARACTERS = 100;

/** What is called. */
interface Called {
  model: string;
  task: TaskKind | 'embed';
}

/** Makes a call, and hands over what the trace shows of it, also when it fails. Throws what the call throws. */
export async function tracedTry<T>(
  { model, task }: Called,
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
  let outcome: CallOutcomeName = 'answered';
  const onRepair = () => {
    outcome = 'repaired';
  };
  const end = (error?: ModelError) => {
    const ms = Date.now() - at;
    if (error !== undefined) outcome = failed({ model, task }, error);
    observe({ what: 'model_call', ms, outcome });
    // Its average is the part of the calls that fail.
    count('model_call_failed', { times: error === undefined ? 0 : 1 });
    tried({
      at,
      ms,
      ...(!isSimulated(model) && { model }),
      ...(tokens.in > 0 && { in: tokens.in }),
      ...(tokens.out > 0 && { out: tokens.out }),
      ...(error && { error: cut(error.message, ERROR_MAX_CHARACTERS) }),
    });
  };
  try {
    const result = await call({ ...attempt, onReply, onRepair });
    end();
    return result;
  } catch (error) {
    // Anything else ended it before it was sent.
    if (error instanceof ModelError) end(error);
    throw error;
  }
}

/** Logs a failed call: the provider's words, never a prompt or an answer (rules.md: models 9). */
function failed(called: Called, { fault: { cause, provider } }: ModelError): CallOutcomeName {
  log.warn('model call failed', {
    ...called,
    ...{ cause, status: provider?.status_code, provider: provider?.message },
  });
  return cause;
}
