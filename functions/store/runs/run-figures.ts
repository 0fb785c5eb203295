// What a run counts for in the usage of its workspace: stored with its entry in the list of its final status, which the
// commit that ends a run writes anyway, so no run pays a write for it.
import * as z from 'zod';
import { MONITOR_PAIR } from '#contract/monitors.ts';
import { InputType, RunStatus } from '#contract/runs.ts';
import { sha256Hex } from '#platform/crypto.ts';
import type { Item } from '../table/table.ts';
import { RunFields, type RunRecord } from './run-record.ts';
import { spentOfStored } from './stored-spent.ts';

const Figures = z.object({
  key_id: z.string(),
  /** The monitor whose fire made the run. */
  monitor_id: z.string().optional(),
  /** Of its first call. */
  model: z.string().optional(),
  pico_usd: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** From its creation to its end. */
  duration_ms: z.number().optional(),
});
type Figures = z.infer<typeof Figures>;

/** A run, with all that counts. */
export interface CountedRun extends Figures {
  /** One text for one run, which does not name it: of a deleted run nothing stays that does. */
  counted_as: string;
  created_at: number;
  status: RunStatus;
  input_type: InputType;
}

const Counted = RunFields.pick({
  created_at: true,
  input_type: true,
  key_id: true,
  fired_by: true,
  metadata: true,
  spent: true,
  sim: true,
}).extend({ status: RunStatus, completed_at: z.number().optional() });

type Counting = Pick<RunRecord, 'created_at' | 'key_id' | 'fired_by' | 'metadata' | 'spent' | 'completed_at'>;

/** The figures of a run now. */
export function figuresOf(run: Counting): Figures {
  const { key_id, fired_by, metadata = {}, spent, created_at, completed_at } = run;
  const monitor_id = fired_by && metadata[MONITOR_PAIR];
  const { model, cost_pico_usd: pico_usd, input_tokens, output_tokens } = spent;
  return {
    ...{ key_id, pico_usd, input_tokens, output_tokens },
    ...(monitor_id !== undefined && { monitor_id }),
    ...(model && { model }),
    ...(completed_at !== undefined && { duration_ms: completed_at - created_at }),
  };
}

/** The run in the item of its record. */
export function countedOfRecord(run_id: string, item: Item): CountedRun {
  const run = Counted.parse(item);
  const { status, created_at, input_type } = run;
  const figures = figuresOf({ ...run, spent: spentOfStored(run) });
  return { counted_as: countedAs(run_id), status, created_at, input_type, ...figures };
}

const Entry = z.object({ sk: z.string(), input_type: InputType, figures: Figures });

function countedOf(counted_as: string, status: RunStatus, item: Item): CountedRun {
  const { sk, input_type, figures } = Entry.parse(item);
  return { counted_as, status, input_type, created_at: Number.parseInt(sk, 10), ...figures };
}

/** The text that stands for a run of this id. */
export const countedAs = (runId: string): string => sha256Hex(runId);

/** The run in its entry of the list of a status; undefined if an earlier release wrote the entry. */
export function countedOfEntry(status: RunStatus, item: Item): CountedRun | undefined {
  return item.figures === undefined ? undefined : countedOf(countedAs(String(item.run_id)), status, item);
}

/** The run in the item by which a deleted one stays counted. */
export function countedOfDeleted(item: Item): CountedRun {
  return countedOf(String(item.counted_as), RunStatus.parse(item.status), item);
}
