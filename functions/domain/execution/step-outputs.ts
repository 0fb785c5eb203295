// The outputs of a run's earlier steps: the latest ones in memory, the others only in their checkpoints.
import { limits } from '#contract/limits.ts';
import { checkpointRun } from '#domain/runs/lifecycle.ts';
import type { StepOutput } from '#steps/step.ts';
import { readCheckpoints } from '#store/runs/checkpoints.ts';
import { absentIfGone } from '#store/table/object-store.ts';
import type { RunLease } from './run-lease.ts';
import { parseStepOutput } from './step-output.ts';

/** In bytes of JSON. A plan may have 50 steps, each with an output of tens of megabytes. */
const IN_MEMORY_MAX = 64 * 1024 * 1024;

/** A result that is larger than a step's may be; nothing of it was saved. */
export class ResultTooLarge extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super(`the result takes ${bytes} bytes`);
    this.name = 'ResultTooLarge';
    this.bytes = bytes;
  }
}

/** The run whose step this one inherits was deleted. */
export class CheckpointGone extends Error {}

/** The output of a step from its checkpoint. Throws CheckpointGone. */
export async function savedOutput({ run }: RunLease, position: number): Promise<StepOutput> {
  const key = { workspace_id: run.workspace_id, run_id: checkpointRun(run, position), position };
  const [saved] = await readCheckpoints([key], parseStepOutput).catch((error) => [absentIfGone(error)]);
  if (!saved) throw new CheckpointGone();
  return saved;
}

export interface StepOutputs {
  /** The output of the step at a position. */
  at(position: number): Promise<StepOutput>;
  /** Takes the place of an earlier output of the step. */
  add(position: number, output: StepOutput): Promise<void>;
}

/** `read` gets an output that is not in memory. */
export function stepOutputs(
  read: (position: number) => Promise<StepOutput>,
  inMemoryMax = IN_MEMORY_MAX,
): StepOutputs {
  /** The one that was added last is the last. */
  const known = new Map<number, { output: StepOutput; size: number }>();
  let total = 0;

  function forget(position: number): void {
    total -= known.get(position)?.size ?? 0;
    known.delete(position);
  }

  async function add(position: number, output: StepOutput): Promise<void> {
    const size = bytesOf(output);
    forget(position);
    known.set(position, { output, size });
    total += size;
    for (const oldest of known.keys()) if (total > inMemoryMax && oldest !== position) forget(oldest);
  }

  return {
    add,
    async at(position) {
      const found = known.get(position);
      if (found) return found.output;
      const output = await read(position);
      await add(position, output);
      return output;
    },
  };
}

/** Throws ResultTooLarge, before anything of it is saved (rules.md: bounds 4). */
export async function checkSize(output: StepOutput): Promise<void> {
  const bytes = bytesOf(output);
  if (bytes > limits.step_result_max_bytes) throw new ResultTooLarge(bytes);
}

/** Measured part by part: the whole may be too long for one text. */
function bytesOf({ items = [], artifacts = [], ...rest }: StepOutput): number {
  const rows = artifacts.flatMap((artifact) => (artifact.kind === 'table' ? artifact.rows : [artifact]));
  const sizes = [...items, ...rows, rest].map((part: unknown) => Buffer.byteLength(JSON.stringify(part)));
  return sizes.reduce((sum, size) => sum + size, 0);
}
