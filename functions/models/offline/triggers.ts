// Triggers: marks in a text that make the offline model fail, for clients' tests (rules.md: offline 2).
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { type CallContext, ModelError, type TokenUsage } from '#models/model.ts';

export interface Triggers {
  delay_ms: number;
  fail: boolean;
  fail_once: boolean;
  refused: boolean;
  /** How many first calls of the step fail transiently. */
  transient: number;
  ambiguous: boolean;
  fail_items: number[];
  no_usage: boolean;
  tokens: TokenUsage | null;
}

const TRIGGER =
  /\[\[(?:(?<counted>delay|transient|fail-item):(?<number>\d{1,9})|(?<flag>fail|fail-once|refused|ambiguous|no-usage)|tokens:(?<tokens>\d{1,12}(?:,\d{1,12}){3}))\]\]/g;

/** The triggers of a text and the text without them. Anything that is not exactly a trigger stays plain text. */
export function readTriggers(text: string): { triggers: Triggers; text: string } {
  const found = [...text.matchAll(TRIGGER)].map(({ groups = {} }) => groups);
  const has = (name: string) => found.some(({ flag }) => flag === name);
  const numbers = (name: string) =>
    found.filter(({ counted }) => counted === name).map(({ number }) => Number(number));
  const tokens = found.findLast((one) => one.tokens !== undefined)?.tokens;
  return {
    triggers: {
      delay_ms: numbers('delay').reduce((sum, ms) => sum + ms, 0),
      fail: has('fail'),
      fail_once: has('fail-once'),
      refused: has('refused'),
      transient: Math.max(0, ...numbers('transient')),
      ambiguous: has('ambiguous'),
      fail_items: numbers('fail-item'),
      no_usage: has('no-usage'),
      tokens: tokens === undefined ? null : usageOf(tokens.split(',').map(Number)),
    },
    text:
      found.length === 0
        ? text
        : text
            .replace(TRIGGER, ' ')
            .replace(/[ \t]{2,}/g, ' ')
            .trim(),
  };
}

const usageOf = ([input = 0, cached = 0, output = 0, thinking = 0]: number[]): TokenUsage => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  thinking_tokens: thinking,
});

/** The text without triggers, which are ignored. */
export function withoutTriggers(text: string): string {
  return readTriggers(text).text;
}

/** Obeys the triggers: waits, then throws ModelError where a failure is due. */
export async function obeyTriggers(
  triggers: Triggers,
  context: CallContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal?.aborted) throw timedOut();
  if (triggers.delay_ms > 0) await delay(triggers.delay_ms, signal);
  if (context.calls_before < triggers.transient)
    throw failure('The offline model is throttled, as the trigger asks');
  if (triggers.refused) throw refusal();
  if (triggers.fail) throw failure('The offline model failed, as the trigger asks', false);
  if (triggers.fail_once && context.step_attempt === 1)
    throw failure('The offline model failed this once, as the trigger asks', false);
  if (context.item_index !== undefined && triggers.fail_items.includes(context.item_index))
    throw failure(`The offline model failed for item ${context.item_index}, as the trigger asks`, false);
}

async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(limits.model_call_timeout_ms);
  try {
    await wait(ms, undefined, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch {
    throw timedOut();
  }
}

const timedOut = () => new ModelError('The model timed out', { cause: 'away' });

/** A failure in the model's own words. What fails for good is not tried again. */
const failure = (message: string, transient = true) =>
  new ModelError(message, { cause: 'away', provider: { message } }, { transient });

function refusal(): ModelError {
  const message = 'The offline model refuses the call, as the trigger asks';
  const provider = { status_code: 400, message };
  return new ModelError(message, { cause: 'refused', model: 'offline', provider });
}
