// What a reply or a lost request of a provider means for the call (rules.md: models 3, models 4).
import type { ModelFault } from '#contract/model-faults.ts';
import { KeyRefused, ModelError } from '#models/model.ts';
import { fitWords, wordsIn } from './provider-words.ts';

/** Whom a request went to, and the key that it had. */
export interface Asked {
  /** The name of the endpoint. */
  model: string;
  key: string | undefined;
}

/** Trouble that passes, as a status or as the code of an error in a reply. */
export const passingCodes: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504, 529]);
const LENGTH =
  /context.{0,20}(length|window|size)|maximum context|too many tokens|(prompt|input|request).{0,30}too (long|large)|n_ctx|token limit/i;
const STRUCTURE =
  /response.?format|schema|structured.?output|json.?(mode|object)|grammar|tool.?(use|choice|config)/i;
/** A model that is busy or broken is there: "the model is unavailable" passes. */
const NO_MODEL =
  /\bmodel\b\s*("[^"]{1,100}"|'[^']{1,100}'|`[^`]{1,100}`|\S{1,100})?\s*(is |was |does )?(not found|not exist|not loaded)|\b(no such|unknown|invalid) model\b(?! error)/i;

/** Whether the words of a refusal are about the form in which JSON is asked for. */
export const isAboutStructure = (words: string): boolean => STRUCTURE.test(words);

/** The error of a reply with another status than 2xx. `retry_after_ms`: what it says of another try. */
export function errorOfReply(
  asked: Asked,
  { status, body, retry_after_ms }: { status: number; body: string; retry_after_ms: number | undefined },
): ModelError {
  const words = wordsIn(body);
  const provider = { status_code: status, message: fitWords(words, asked.key) || `HTTP ${status}` };
  if (isPassing(status, words)) {
    const message = `The model is ${status === 429 ? 'throttled' : 'unavailable'} (HTTP ${status})`;
    return new ModelError(
      message,
      { cause: 'away', provider },
      retry_after_ms === undefined ? {} : { retry_after_ms },
    );
  }
  const isTooLong = LENGTH.test(words) || status === 413;
  const fault: ModelFault = {
    ...{ cause: 'refused', provider, model: asked.model },
    ...(isTooLong && { reason: 'input_too_long' }),
  };
  const message =
    status < 400
      ? `The model's address redirects to another one (HTTP ${status})`
      : `The model refused the call (HTTP ${status})`;
  return status === 401 ? new KeyRefused(message, fault) : new ModelError(message, fault);
}

/** Whether trouble with this status passes; a setting that is wrong does not. */
function isPassing(status: number, words: string): boolean {
  if (status === 500) return !STRUCTURE.test(words) && !NO_MODEL.test(words);
  return status > 500 || passingCodes.has(status);
}

/** The error of a request without a whole reply. */
export function errorOfRequest(error: unknown, signal: AbortSignal | null | undefined): ModelError {
  if (signal?.aborted) return timedOut();
  const message = `no reply (${codeOf(error) ?? 'connection lost'})`;
  return new ModelError('The model could not be reached', { cause: 'away', provider: { message } });
}

export function timedOut(): ModelError {
  return new ModelError('The model timed out', { cause: 'away', provider: { message: 'no reply in time' } });
}

/** The code of a network error, without its address: clients need not know where the model is. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
}
