// How much of AWS a run may use. A run of three steps with a webhook, counted as `npm run bench` does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countOneRun } from '../proofs/bench/counted.ts';
import { sharedService } from '../support/service.ts';

test('a run of three steps with a webhook stays within its calls, its units and its price', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'run-service-budget-'));
  try {
    const { run, run_as_data, status_read, usd_per_1000_runs } = await countOneRun(
      sharedService().assembly,
      dataDir,
    );
    expect(run.sdk_calls).toBeLessThanOrEqual(13);
    // One of them is the entry of its webhook in the list of the workspace.
    expect(run.write_units).toBeLessThanOrEqual(52);
    expect(run.state_transitions).toBe(1);
    expect(run.lambda_invocations).toEqual({ Start: 1, ExecuteSteps: 1, DeliverWebhook: 1 });
    // Answers as data: the same calls of the model, and what the output and its schema take.
    expect(run_as_data.sdk_calls - run.sdk_calls).toBeLessThanOrEqual(1);
    expect(run_as_data.write_units - run.write_units).toBeLessThanOrEqual(4);
    // The key and the run together.
    expect(status_read.sdk_calls).toBe(1);
    expect(usd_per_1000_runs.total).toBeLessThan(0.125);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
