// The run envelope: what clients read of a run.
import type { ListedRun, RunEnvelope, RunInput } from '#contract/runs.ts';
import { fallbackWarnings, usageOf } from '#domain/billing/usage.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { RunView } from '#store/runs/run-views.ts';
import { isResumable } from './lifecycle.ts';
import { outputOf } from './run-output.ts';
import { waitOf } from './waits.ts';

/** The envelope of a run (rules.md: envelope), with its answer as data where it has one. */
export async function envelopeOf(view: RunView): Promise<RunEnvelope> {
  const output = await outputOf(view);
  const envelope = toEnvelope(view.run, view.input);
  return output === undefined ? envelope : { ...envelope, output };
}

/** The envelope without the answer as data, which is read apart. */
export function toEnvelope(run: RunRecord, input: RunInput): RunEnvelope {
  return { ...identityOf(run), input, config: run.config, ...workOf(run) };
}

/** The entry of a run in a list, which needs neither input nor plan (rules.md: reads 3). */
export function toListedRun(run: RunRecord): ListedRun {
  return { ...identityOf(run), input_type: run.input_type, title: run.title ?? null, ...workOf(run) };
}

function identityOf(run: RunRecord) {
  return {
    id: run.id,
    object: 'run' as const,
    status: run.status,
    waiting: waitOf(run),
    api_version: run.api_version,
    created_at: run.created_at,
    ...(run.started_at !== undefined && { started_at: run.started_at }),
    ...(run.completed_at !== undefined && { completed_at: run.completed_at }),
    workspace_id: run.workspace_id,
  };
}

function workOf(run: RunRecord) {
  return {
    ...(run.metadata && { metadata: run.metadata }),
    steps: run.steps.map(({ credits_charged: _, ...summary }) => summary),
    message: run.message,
    artifacts: run.artifacts,
    note_ids: run.note_ids,
    warnings: [...run.warnings, ...fallbackWarnings(run.spent)],
    errors: run.errors,
    usage: usageOf(run),
    resumable: isResumable(run),
    resume_count: run.resume_count,
    ...(run.rerun_of && { rerun_of: run.rerun_of }),
    request_id: run.request_id,
  };
}
