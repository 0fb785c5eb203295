// Starting the execution of a run that has been written.
import { startExecution } from '#orchestration/executions.ts';
import { describe, log } from '#platform/log.ts';
import type { RunRecord } from '#store/runs/run-record.ts';

/**
 * Starts the execution of a pending run. Safe to repeat. Never throws: the run is acknowledged, and the sweep retries a
 * failed start.
 */
export async function startRun(run: RunRecord): Promise<void> {
  try {
    const key = { workspace_id: run.workspace_id, run_id: run.id };
    await startExecution(key, run.execution);
    // This line connects a request with its run.
    log.info('execution started', { ...key, execution: run.execution });
  } catch (error) {
    log.warn('execution not started, the sweep will', { run_id: run.id, error: describe(error) });
  }
}
