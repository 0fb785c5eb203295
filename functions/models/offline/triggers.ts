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
  /\[\[(?:(delay|transient|fail-item):(\d{1,9})|(fail|fail-once|refused|ambiguous|no-usage)|tokens:(\d{1,12}),(\d{1,12}),(\d{1,12}),(\d{1,12}))\]\]/g;

/** The triggers of a text and the text without them. Anything that is not exactly a trigger stays plain text. */
export function readTriggers(text: string): { triggers: Triggers; text: string } {
  const triggers: Triggers = {
    delay_ms: 0,
    fail: false,
    fail_once: false,
    refused: false,
    transient: 0,
    ambiguous: false,
    fail_items: [],
    no_usage: false,
    tokens: null,
  };
  let found = false;
  const rest = text.replace(TRIGGER, (_all, counted, number, flag, ...tokens: unknown[]) => {
    found = true;
    if (typeof counted === 'string') setNumber(triggers, counted, Number(number));
    else if (typeof flag === 'string') setFlag(triggers, flag);
    else triggers.tokens = tokensOf(tokens.slice(0, 4).map(Number));
    return ' ';
  });
  return { triggers, text: found ? rest.replace(/[ \t]{2,}/g, ' ').trim() : text };
}

function setNumber(triggers: Triggers, name: string, value: number): void {
  if (name === 'delay') triggers.delay_ms += value;
  else if (name === 'transient') triggers.transient = Math.max(triggers.transient, value);
  else triggers.fail_items.push(value);
}

function setFlag(triggers: Triggers, name: string): void {
  if (name === 'fail') triggers.fail = true;
  else if (name === 'fail-once') triggers.fail_once = true;
  else if (name === 'refused') triggers.refused = true;
  else if (name === 'ambiguous') triggers.ambiguous = true;
  else triggers.no_usage = true;
}

function tokensOf([input = 0, cached = 0, output = 0, thinking = 0]: number[]): TokenUsage {
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    thinking_tokens: thinking,
  };
}

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

function timedOut(): ModelError {
  return new ModelError('The model timed out', { cause: 'away' });
}

/** A failure in the model's own words. What fails for good is not tried again. */
function failure(message: string, transient = true): ModelError {
  return new ModelError(message, { cause: 'away', provider: { message } }, { transient });
}

function refusal(): ModelError {
  const message = 'The offline model refuses the call, as the trigger asks';
  return new ModelError(message, {
    cause: 'refused',
    model: 'offline',
    provider: { status_code: 400, message },
  });
}
