// A run of the large stack: three steps and a webhook.

import { builtInPrices } from '#contract/prices.ts';
import type { ExecutionKey } from '#contract/run-keys.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { eventId } from '#store/runs/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { CALLBACK } from './clients.ts';

const steps = ['One', 'Two', 'Three'].map((title) => ({
  kind: 'analyze' as const,
  title,
  instructions: title,
}));

/** The body that creates one. */
export const body = { input_type: 'plan' as const, plan: { title: 'Plan', steps }, callback_url: CALLBACK };

/** The model of the stack. */
export const model = { model: offlineModel(), prices: builtInPrices };

const setting = {
  ...model,
  max_parallel_calls: 1,
  model_wait_seconds: 0,
  slice_ms: 60_000,
  steps_per_slice: undefined,
  sourcesFor: (of: RunRecord) => sourcesOf(of, async (texts) => texts.map(() => [1])),
};

/** Executes a created run, and delivers its webhook. */
export async function livesOn(key: ExecutionKey): Promise<void> {
  await executeSlice(key, setting);
  const ended = await runs.get(key.workspace_id, key.run_id);
  if (ended?.status !== 'succeeded') throw new Error('a run did not succeed');
  const delivery = { ...key, event_id: eventId(key.run_id, ended.last_sequence) };
  const claimed = await deliveries.claimAttempt(delivery, 1, Date.now(), 30_000);
  if (!claimed) throw new Error('a webhook is not due');
  await deliveries.recordAttempt(
    claimed,
    { at: Date.now(), status_code: 204, duration_ms: 1 },
    { status: 'delivered' },
  );
}
