// Waits for a run within one tool call and reports progress.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Run, RunService, RunState } from '../sdk/index.ts';
import type { ToolCall } from './answering.ts';
import { runResult } from './results.ts';

/** Leaves time for the reply before the end of a call. */
export const WAIT_MAX_S = 45;

/** What a wait needs of its call. */
interface Waiting {
  signal: AbortSignal;
  request: Pick<ToolCall['request'], '_meta' | 'notify'>;
}

/** Waits at most this long for the run to end, reporting each step's progress; then returns the run's state. */
export async function waitForRun(
  client: RunService,
  id: string,
  timeoutS: number,
  { signal, request }: Waiting,
): Promise<CallToolResult> {
  const timeout = AbortSignal.timeout(Math.min(timeoutS, WAIT_MAX_S) * 1000);
  const notify = notifierFor(request);
  // Lambda does not learn that a reader has left: a stream would run on for minutes, a long poll for seconds.
  const watch = client.runs.watch(id, { transport: 'poll', signal: AbortSignal.any([timeout, signal]) });
  try {
    for await (const state of watch.states()) await notify(state);
    return runResult(await withReading(client, await watch.done(), signal));
  } catch (error) {
    if (!timeout.aborted) throw error;
    const run = await client.runs.get(id, { signal });
    return runResult(run, nextOf(run));
  }
}

/** What to do about a run that goes on. */
const nextOf = ({ waiting }: Run): string =>
  waiting?.job_id === undefined
    ? 'The run is still running: call run_wait again.'
    : 'The run waits for a job: job_list with its job_id shows what is asked, job_complete answers it.';

/** The run, if it is of a query with how the query was understood. */
async function withReading(client: RunService, run: Run, signal: AbortSignal): Promise<Run> {
  if (run.input.input_type !== 'query') return run;
  const { understood_as } = await client.runs.get(run.id, { signal, plan: true });
  return understood_as === undefined ? run : { ...run, understood_as };
}

/** Sends a notification for each visible change, if the client asked for them. */
function notifierFor({ _meta, notify }: Waiting['request']): (state: RunState) => Promise<void> {
  const progressToken = _meta?.progressToken;
  let last = '';
  let progress = 0;
  return async (state) => {
    const message = inWords(state);
    if (progressToken === undefined || message === last) return;
    last = message;
    // The protocol requires it to increase, but resuming a run moves it back.
    progress = Math.max(progress + 0.001, stepsDone(state));
    const total = state.steps.length > 0 ? state.steps.length : undefined;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } });
  };
}

const isOver = ({ status }: RunState['steps'][number]) => status === 'completed' || status === 'skipped';

/** Completed steps, plus the progress of the running one. */
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
