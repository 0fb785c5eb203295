// Waiting for a run within one call of a tool, and telling its progress meanwhile.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RunService, RunState } from '../sdk/index.ts';
import type { ToolCall } from './answering.ts';
import { runResult } from './results.ts';

/** Leaves time for the answer before the end of a call. */
export const WAIT_MAX_S = 45;

/** Waits until the run has ended, at most so long, and tells each step's progress; then answers how the run stands. */
export async function waitForRun(
  client: RunService,
  id: string,
  timeoutS: number,
  { signal, request }: ToolCall,
): Promise<CallToolResult> {
  const timeout = AbortSignal.timeout(Math.min(timeoutS, WAIT_MAX_S) * 1000);
  const tell = teller(request);
  const watch = client.runs.watch(id, { signal: AbortSignal.any([timeout, signal]) });
  try {
    for await (const state of watch.states()) await tell(state);
    return runResult(await watch.done());
  } catch (error) {
    if (!timeout.aborted) throw error;
    return runResult(await client.runs.get(id, { signal }), 'The run goes on: call run_wait again.');
  }
}

/** Sends a notification for each change that a reader would see, if the client has asked for them. */
function teller({ _meta, notify }: ToolCall['request']): (state: RunState) => Promise<void> {
  const progressToken = _meta?.progressToken;
  let told = '';
  let progress = 0;
  return async (state) => {
    const message = inWords(state);
    if (progressToken === undefined || message === told) return;
    told = message;
    // The protocol wants it to grow, and a run that is resumed goes back a little.
    progress = Math.max(progress + 0.001, stepsDone(state));
    const total = state.steps.length > 0 ? state.steps.length : undefined;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
  };
}

const isOver = ({ status }: RunState['steps'][number]) => status === 'completed' || status === 'skipped';

/** Steps that are over, and the share of the running one that its progress tells. */
function stepsDone({ steps }: RunState): number {
  const { items_done = 0, items_total = 0 } =
    steps.find(({ status }) => status === 'running')?.progress ?? {};
  return steps.filter(isOver).length + (items_total > 0 ? items_done / items_total : 0);
}

function inWords({ status, steps }: RunState): string {
  const step = steps.find((one) => one.status === 'running');
  if (!step) return `${status}, ${steps.filter(isOver).length} of ${steps.length} steps done`;
  const { items_done, items_total } = step.progress ?? {};
  const items = items_total === undefined ? '' : `, ${items_done} of ${items_total} items`;
  return `step ${step.index + 1} of ${steps.length}: ${step.title || step.kind}${items}`;
}
