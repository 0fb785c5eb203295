// A model whose every answered call has a unique mark in its token counts, so that sums show which calls were counted,
// and how often.

import type { ModelPricing } from '#models/endpoint-settings.ts';
import { type Attempt, type CallContext, type Model, ModelError, unusable } from '#models/model.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';
import type { Spent } from '#store/runs/run-record.ts';
import { currentProcess, isDead } from '../../support/faults.ts';
import { modelOf } from '../../support/model-of.ts';
import type { Random } from '../../support/random.ts';
import { answerTo } from '../../support/task-answers.ts';
import { failureIn, type Manner } from './outages.ts';

/** Base-4 digits of a safe integer. */
const DIGITS = 26;
const counts = ['input_tokens', 'output_tokens', 'thinking_tokens'] as const;
const MARKS = DIGITS * counts.length;

/** One answered call. */
interface Call {
  mark: number;
  /** The endpoint that answered it. */
  model: string;
  /** The invocation that made it. */
  by: number;
  task: TaskKind;
  /** For the call of one item: which, of which step. */
  item: string | undefined;
  query: string | undefined;
}

/** The tokens of a sum that its models used: jobs brought the others. */
export const tokensOfModels = ({ input_tokens, output_tokens, thinking_tokens, jobs }: Spent) => ({
  input_tokens: input_tokens - (jobs?.input_tokens ?? 0),
  output_tokens: output_tokens - (jobs?.output_tokens ?? 0),
  thinking_tokens,
});

/** The marks in a sum, as often as each is in it. */
export function marksIn(spent: Spent): number[] {
  const tokens = tokensOfModels(spent);
  return counts.flatMap((name, place) => {
    const digits = [...tokens[name].toString(4)].reverse();
    return digits.flatMap((digit, i) => Array.from({ length: Number(digit) }, () => place * DIGITS + i));
  });
}

/** What the call of a mark used. */
export function usageOf(mark: number) {
  const tokens = (name: (typeof counts)[number]) =>
    counts[Math.floor(mark / DIGITS)] === name ? 4 ** (mark % DIGITS) : 0;
  return {
    input_tokens: tokens('input_tokens'),
    cached_input_tokens: 0,
    output_tokens: tokens('output_tokens'),
    thinking_tokens: tokens('thinking_tokens'),
  };
}

/** The one task whose output the histories depend on: a plan with a step of one call and one of a call per item. */
const planned: OutputOf<'plan'> = {
  title: 'Planned',
  steps: [
    { kind: 'fetch', title: 'Fetch', instructions: 'planned', params: {} },
    { kind: 'transform', title: 'Transform', instructions: 'planned', params: { output_fields: ['n'] } },
    { kind: 'analyze', title: 'Analyze', instructions: 'planned', params: {} },
  ],
};
const outputs: { [K in TaskKind]?: OutputOf<K> } = { plan: planned };

async function outputOf<K extends TaskKind>(task: K, input: InputOf<K>): Promise<OutputOf<K>> {
  const fixed = outputs[task];
  if (fixed) return fixed;
  const judged = await tasks[task].judge(answerTo(task, input), input);
  if (!judged.ok) throw new Error(judged.complaint);
  return judged.output;
}

export interface CountedModel {
  model: Model;
  pricing: ModelPricing;
  calls: Call[];
  failed: number;
  /** The endpoints that are away. */
  away: Map<string, Manner>;
  /** What happens while a call is under way, once. */
  during: (() => Promise<unknown>) | undefined;
}

/** USD per million tokens. */
const PRICE = { input: 1, cached_input: 0.1, output: 4 };
let models = 0;

/**
 * A model that fails now and then, transiently or permanently, with as many endpoints, which can be away. Their names
 * are new: what this process knows of others does not count.
 */
export function countedModel(chance: Random, endpoints = 1): CountedModel {
  models += 1;
  const names = Array.from({ length: endpoints }, (_, i) => `model ${models} ${i}`);
  const [first = ''] = names;
  const counted: CountedModel = {
    model: { ...modelOf(call, first), names, namesFor: () => names, embed },
    pricing: { names, prices: Object.fromEntries(names.map((name) => [name, PRICE])) },
    calls: [],
    failed: 0,
    away: new Map(),
    during: undefined,
  };
  async function call<K extends TaskKind>(
    task: K,
    input: InputOf<K>,
    { endpoint = first }: CallContext,
    { onReply }: Attempt,
  ): Promise<OutputOf<K>> {
    const by = currentProcess()?.id ?? 0;
    const { during } = counted;
    counted.during = undefined;
    await during?.();
    if (isDead()) throw unusable('dead');
    const manner = counted.away.get(endpoint);
    if (manner) {
      counted.failed += 1;
      throw failureIn(manner);
    }
    const item = 'item' in input ? `${input.instructions} ${input.item.id}` : undefined;
    const query = 'query' in input ? String(input.query) : undefined;
    const paid = (usedFor?: string) => {
      const mark = counted.calls.length;
      counted.calls.push({ mark, model: endpoint, by, task, item: usedFor, query });
      onReply(usageOf(mark));
    };
    // A call may have two marks.
    const spent = counted.calls.length >= MARKS - 1;
    // A reply that cannot be used is paid for, whether it is asked for again or not.
    if (!spent && chance.oneIn(6)) paid();
    if (spent || chance.oneIn(item === undefined ? 5 : 10)) {
      counted.failed += 1;
      throw new ModelError('refused', { cause: !spent && chance.oneIn(2) ? 'away' : 'refused' });
    }
    // An output that no check has found, and nothing can save.
    const isLost = task !== 'plan' && task !== 'understand' && chance.oneIn(15);
    paid(isLost ? undefined : item);
    await new Promise((resolve) => setImmediate(resolve));
    return isLost ? Object(1n) : outputOf(task, input);
  }
  async function embed(texts: string[]) {
    return texts.map(() => [1]);
  }
  return counted;
}
