// Sums of the usage and cost of model calls. Money is integer arithmetic in 1e-12 USD, never rounded.
import * as z from 'zod';
import type { Warning } from '#contract/events.ts';
import type { JobUsage } from '#contract/jobs.ts';
import { limits } from '#contract/limits.ts';
import type { Price } from '#contract/models.ts';
import type { Usage } from '#contract/runs.ts';
import type { TokenUsage } from '#models/model.ts';
import { costPicoUsd, picoToUsd, usdToPico } from '#models/pricing.ts';
import { type JobSums, nothingSpent, type RunRecord, type Spent, type Sums } from '#store/runs/run-record.ts';

/** Who replied; `instead_of`: the first model of the task, which was away. */
interface Replied {
  model: string;
  instead_of?: string | undefined;
}

/**
 * What one reply used; without usage or price it counts as unpriced and costs nothing (rules.md: usage 1).
 */
export function spentOn(
  usage: TokenUsage | null,
  price: Price | undefined,
  { model, instead_of }: Replied,
): Spent {
  const from: Pick<Spent, 'model' | 'fell_back'> = {
    model,
    ...(instead_of !== undefined && { fell_back: [instead_of, model] }),
  };
  if (!usage) return { ...nothingSpent, ...from, calls: 1, unpriced_calls: 1 };
  const cost = price ? costPicoUsd(usage, price) : 0n;
  return { ...from, calls: 1, unpriced_calls: price ? 0 : 1, ...usage, cost_pico_usd: cost.toString() };
}

function combineSums(left: Sums, right: Sums, sign: 1 | -1): Sums {
  // A sum that the table could not store would lose the commit, and with it the cost.
  const sum = (name: Exclude<keyof Sums, 'cost_pico_usd'>) =>
    Math.max(0, Math.min(left[name] + sign * right[name], Number.MAX_SAFE_INTEGER));
  return {
    calls: sum('calls'),
    unpriced_calls: sum('unpriced_calls'),
    input_tokens: sum('input_tokens'),
    cached_input_tokens: sum('cached_input_tokens'),
    output_tokens: sum('output_tokens'),
    thinking_tokens: sum('thinking_tokens'),
    cost_pico_usd: (BigInt(left.cost_pico_usd) + BigInt(sign) * BigInt(right.cost_pico_usd)).toString(),
  };
}

type ModelSums = Sums & { model: string };

/** The sums of each model in the order of their first use; calls of earlier releases have no name. */
function partsOf({ model = '', others = [], jobs, fell_back: _, ...sums }: Spent): ModelSums[] {
  if (sums.calls === 0) return [];
  const parts = [...others.map(({ model: _, ...other }) => other), ...(jobs ? [sumsOf(jobs)] : [])];
  const first = parts.reduce<Sums>((rest, other) => combineSums(rest, other, -1), sums);
  return [{ model, ...first }, ...others];
}

/** What jobs brought, as sums of no call. */
const sumsOf = ({ count: _, ...brought }: JobSums): Sums => ({ ...nothingSpent, ...brought });

function combineJobs(left: JobSums | undefined, right: JobSums | undefined, sign: 1 | -1) {
  if (!left && !right) return undefined;
  const { input_tokens, output_tokens, cost_pico_usd } = combineSums(
    left ? sumsOf(left) : nothingSpent,
    right ? sumsOf(right) : nothingSpent,
    sign,
  );
  const count = (left?.count ?? 0) + sign * (right?.count ?? 0);
  return count > 0 ? { count, input_tokens, output_tokens, cost_pico_usd } : undefined;
}

/** What one job brought (1e-12 USD). */
export function spentOnJob({ cost_usd = 0, input_tokens = 0, output_tokens = 0 }: JobUsage): Spent {
  const brought = { input_tokens, output_tokens, cost_pico_usd: usdToPico(cost_usd).toString() };
  return { ...nothingSpent, ...brought, jobs: { count: 1, ...brought } };
}

function combine(left: Spent, right: Spent, sign: 1 | -1): Spent {
  const byModel = new Map(partsOf(left).map(({ model, ...sums }) => [model, sums]));
  for (const { model, ...sums } of partsOf(right))
    byModel.set(model, combineSums(byModel.get(model) ?? nothingSpent, sums, sign));
  const [first, ...others] = [...byModel].filter(([, { calls }]) => calls !== 0);
  const fell_back = left.fell_back ?? right.fell_back;
  const jobs = combineJobs(left.jobs, right.jobs, sign);
  return {
    ...combineSums(left, right, sign),
    ...(first?.[0] && { model: first[0] }),
    ...(others.length > 0 && { others: others.map(([model, sums]) => ({ model, ...sums })) }),
    ...(jobs && { jobs }),
    ...(fell_back && { fell_back }),
  };
}
export const add = (left: Spent, right: Spent): Spent => combine(left, right, 1);
export const subtract = (left: Spent, right: Spent): Spent => combine(left, right, -1);

/** The sum of several. */
export function total(all: Iterable<Spent>): Spent {
  let sum = nothingSpent;
  for (const one of all) sum = add(sum, one);
  return sum;
}

/** A run's usage as clients read it; the credit fields are absent on runs that draw none. */
export function usageOf(run: RunRecord): Usage {
  const { cost_pico_usd, model: _, others: __, fell_back: ___, jobs, ...tokens } = run.spent;
  return {
    ...tokens,
    models: partsOf(run.spent).flatMap(modelUsage),
    ...(jobs && { jobs: { count: jobs.count, cost_usd: picoToUsd(BigInt(jobs.cost_pico_usd)) } }),
    cost_usd: picoToUsd(BigInt(cost_pico_usd)),
    ...(run.credits_at_most !== undefined && {
      credits_at_most: run.credits_at_most,
      credits_used: run.credits_used ?? null,
    }),
    ...(run.sim && { simulated: true as const }),
  };
}

function modelUsage({ model, cost_pico_usd, ...sums }: ModelSums): Usage['models'] {
  if (model === '') return [];
  const { calls, input_tokens, cached_input_tokens, output_tokens } = sums;
  const cost_usd = picoToUsd(BigInt(cost_pico_usd));
  return [{ model, calls, input_tokens, cached_input_tokens, output_tokens, cost_usd }];
}

/** The warning of a run that a later model of the list has answered (rules.md: usage 11). */
export function fallbackWarnings({ fell_back }: Spent): Warning[] {
  if (!fell_back) return [];
  const [from, to] = fell_back;
  const message = `While ${from} was away, ${to} answered.`;
  return [{ code: 'model_fallback', message, details: { from, to } }];
}

/** The code of the warning about calls that are missing from a run's cost. */
export const UNPRICED = 'unpriced_usage';

/** The warning about calls that are missing from a run's cost; none if every call has a price. */
export function unpricedWarnings(calls: number, steps: number[] = []): Warning[] {
  if (calls === 0) return [];
  const [only, another] = steps;
  return [
    {
      code: UNPRICED,
      message: `${calls} model ${calls === 1 ? 'call' : 'calls'} came without usage or have no price; they are not in the cost.`,
      ...(only !== undefined && another === undefined && { step_index: only }),
      details: { calls, steps },
    },
  ];
}

/**
 * The warnings of a run after a step with such calls: one about all of them names every step that made some (rules.md:
 * usage 1). `calls` are those of the run.
 */
export function withUnpriced(warnings: Warning[], calls: number, stepIndex?: number): Warning[] {
  const at = warnings.findIndex(({ code }) => code === UNPRICED);
  const known = Steps.safeParse(warnings[at]?.details?.steps).data ?? [];
  const steps = [...new Set([...known, ...(stepIndex === undefined ? [] : [stepIndex])])];
  const [warning] = unpricedWarnings(
    calls,
    steps.toSorted((left, right) => left - right),
  );
  if (!warning) return warnings;
  if (at >= 0) return warnings.with(at, warning);
  return warnings.length < limits.run_warnings_max ? [...warnings, warning] : warnings;
}

const Steps = z.array(z.number());
