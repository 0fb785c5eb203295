// A provider of models with a rate, which can go away: it keeps a journal of what it was asked and what it answered.
import { limits } from '#contract/limits.ts';
import { type Attempt, type CallContext, type Model, ModelError } from '#models/model.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';
import { modelOf } from '../../support/model-of.ts';
import type { Random } from '../../support/random.ts';
import { answerTo } from '../../support/task-answers.ts';
import type { Scheduler } from '../sim/scheduler.ts';

/** What each answer uses. */
export const TOKENS = 1000;
const FASTEST_MS = 10_000;
const SPREAD_MS = 10_000;
/** A refusal comes at once. */
const REFUSAL_MS = 100;
/** As many calls as its rate allows in this time may come at once. */
const BURST_SECONDS = 20;

export interface Provider {
  model: Model;
  /** While it is away, half of the calls hang until their time is up, the others are refused. */
  away: boolean;
  /** When each call came; epoch ms. */
  asked: number[];
  /** When each question was answered, which is to be paid. */
  answered: Map<string, number[]>;
  throttled: number;
  /** The calls that it answers in a minute. */
  per_minute: number;
}

/** The plan of a query: the steps of the other runs, asked for by the same words. */
const planned = (query: string): OutputOf<'plan'> => ({
  title: 'Planned',
  steps: [
    { kind: 'fetch', title: 'Fetch', instructions: query, params: {} },
    { kind: 'transform', title: 'Each', instructions: query, params: { output_fields: ['n'] } },
  ],
});

async function outputOf<K extends TaskKind>(task: K, input: InputOf<K>): Promise<OutputOf<K>> {
  const plans: { [T in TaskKind]?: OutputOf<T> } = 'query' in input ? { plan: planned(input.query) } : {};
  const fixed = plans[task];
  if (fixed) return fixed;
  const judged = await tasks[task].judge(answerTo(task, input), input);
  if (!judged.ok) throw new Error(judged.complaint);
  return judged.output;
}

/** The words by which the client of a run asked for it, and the item. */
function questionOf<K extends TaskKind>(task: K, input: InputOf<K>): string {
  const words = 'query' in input ? input.query : 'instructions' in input ? input.instructions : '';
  return `${words} ${task} ${'item' in input ? input.item.id : ''}`;
}

/** A provider that answers this many calls a minute and throttles the others. */
export function startProvider(scheduler: Scheduler, chance: Random, perMinute: number): Provider {
  const perMs = perMinute / 60_000;
  const burst = perMs * BURST_SECONDS * 1000;
  let room = burst;
  let seenAt = Date.now();
  const provider: Provider = {
    model: modelOf(call),
    away: false,
    asked: [],
    answered: new Map(),
    throttled: 0,
    per_minute: perMinute,
  };

  function admits(): boolean {
    room = Math.min(burst, room + (Date.now() - seenAt) * perMs);
    seenAt = Date.now();
    if (room < 1) return false;
    room -= 1;
    return true;
  }

  async function call<K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    _: CallContext,
    { onReply, signal }: Attempt,
  ): Promise<OutputOf<K>> {
    provider.asked.push(Date.now());
    if (provider.away && chance.oneIn(2)) {
      const limit = AbortSignal.timeout(limits.model_call_timeout_ms);
      await new Promise((resolve) =>
        AbortSignal.any([limit, ...(signal ? [signal] : [])]).addEventListener('abort', resolve),
      );
      throw new ModelError('The model timed out', { cause: 'away' });
    }
    if (provider.away || !admits()) {
      await scheduler.sleep(REFUSAL_MS);
      if (!provider.away) provider.throttled += 1;
      const status_code = provider.away ? 503 : 429;
      const message = `HTTP ${status_code}`;
      throw new ModelError(message, { cause: 'away', provider: { status_code, message } });
    }
    await scheduler.sleep(FASTEST_MS + chance.below(SPREAD_MS));
    // A request that has ended no longer reads the answer.
    if (signal?.aborted) throw new ModelError('The model timed out', { cause: 'away' });
    const question = questionOf(task, input);
    provider.answered.set(question, [...(provider.answered.get(question) ?? []), Date.now()]);
    onReply({ input_tokens: TOKENS, cached_input_tokens: 0, output_tokens: 0, thinking_tokens: 0 });
    return outputOf(task, input);
  }
  return provider;
}

/** Lets time limits of calls run in the virtual time of a scheduler; returns how to undo it. */
export function virtualTimeouts(): () => void {
  const real = AbortSignal.timeout;
  AbortSignal.timeout = (ms) => {
    const control = new AbortController();
    setTimeout(() => control.abort(), ms);
    return control.signal;
  };
  return () => {
    AbortSignal.timeout = real;
  };
}
