// Clients that want each of their runs once: they send a request that is refused again as the SDK does, then later and
// later, and wait for the run that it makes.
import { ApiError } from '#contract/errors.ts';
import { builtInPrices } from '#contract/prices.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { checkCreate } from '#domain/commands/check-create.ts';
import { createRun } from '#domain/commands/create-run.ts';
import { idempotencyKeyOf } from '#domain/commands/use-key.ts';
import * as runs from '#store/runs/runs.ts';
import { MAX_RETRIES, retryDelayMs } from '../../../clients/sdk/http.ts';
import { startedRun } from '../../support/run-drafts.ts';
import type { Scheduler } from '../sim/scheduler.ts';
import type { Provider } from './provider.ts';
import type { Stack } from './stack.ts';

/** What the service asks for with a refusal. */
const RETRY_AFTER_MS = 1000;
const LATER_MS = 30_000;
const LATEST_MS = 300_000;

/** One run that a client wants, from its first request to its end; epoch ms. */
export interface Wish {
  wanted_at: number;
  requests: number;
  succeeded_at?: number;
  /** How it failed. */
  failed?: string;
}

/** What clients work with. */
export interface Market {
  scheduler: Scheduler;
  stack: Stack;
  provider: Provider;
  callers: CallerWithCosts[];
  /** Codes of refusals, by how often. */
  refused: Record<string, number>;
}

const bodyOf = (words: string, isQuery: boolean) =>
  isQuery
    ? { input_type: 'query', query: words }
    : {
        input_type: 'plan',
        plan: {
          title: 'Plan',
          steps: [
            { kind: 'fetch', title: 'Fetch' },
            { kind: 'transform', title: 'Each', params: { limit: 3 }, instructions: words },
            { kind: 'reconstitute', title: 'Answer', instructions: words },
          ],
        },
      };

/** The wait after so many refusals: the retries of the SDK, then half a minute and more. */
function waitMs(refusals: number): number {
  if (refusals <= MAX_RETRIES) return retryDelayMs(refusals, RETRY_AFTER_MS);
  return laterMs(refusals - MAX_RETRIES);
}

const laterMs = (times: number) =>
  Math.min(LATEST_MS, LATER_MS * 2 ** (times - 1)) * (0.5 + Math.random() / 2);

/** The result of a request that is sent until it is taken; undefined when it is refused for good. */
async function taken<T>(market: Market, wish: Wish, send: () => Promise<T>): Promise<T> {
  for (let refusals = 0; ; ) {
    wish.requests += 1;
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      market.refused[error.code] = (market.refused[error.code] ?? 0) + 1;
      refusals += 1;
      await market.scheduler.sleep(waitMs(refusals));
    }
  }
}

/** Wants one run, and waits for its end. */
export async function wants(market: Market, number: number): Promise<Wish> {
  const { callers, provider, stack } = market;
  const caller = callers[number % callers.length];
  if (!caller) throw new Error('no caller');
  const { workspace_id } = caller.workspace;
  const wish: Wish = { wanted_at: Date.now(), requests: 0 };
  // Every fifth run is a query, which is understood before it exists.
  const sent = bodyOf(`run ${number}`, number % 5 === 0);
  const checked = checkCreate(sent, (schema, value) => schema.parse(value));
  const idempotency = await idempotencyKeyOf(`${number}`, 'runs', workspace_id, sent);
  const model = { model: provider.model, prices: builtInPrices };
  const made = await taken(market, wish, async () =>
    startedRun(createRun({ caller, request_id: 'r', checked, idempotency }, model)),
  );
  await stack.ended(made.run.execution);
  const ended = await runs.get(workspace_id, made.run.id);
  if (ended?.status === 'succeeded') return { ...wish, succeeded_at: Date.now() };
  return { ...wish, failed: ended?.errors.at(-1)?.code ?? `the run is ${ended?.status}` };
}
