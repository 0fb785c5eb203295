// Runs that are about to be created, for suites of what a create writes.

import type { RunDraft } from '#domain/commands/insert-run.ts';
import type { CreatedRun } from '#domain/commands/use-key.ts';
import { newId } from '#platform/ids.ts';

/** A run of one step by this caller. */
export function draftOf(by: RunDraft['caller'], credits = 20): RunDraft {
  const plan = {
    title: 'Plan',
    steps: [{ kind: 'fetch' as const, title: 'All', params: { source: 'all' } }],
  };
  return {
    caller: by,
    request_id: newId(),
    idempotency: undefined,
    input: { input_type: 'plan', plan },
    title: plan.title,
    config: {},
    metadata: undefined,
    plan: undefined,
    credits,
    state: {},
    events: [{ event_type: 'run.created', data: { status: 'pending', input_type: 'plan' } }],
  };
}

/** A created run, once its execution has been started. */
export async function startedRun(creating: Promise<CreatedRun>): Promise<CreatedRun> {
  const created = await creating;
  await created.unfinished;
  return created;
}
