// The part of a run that grows with its work. Packed when long: DynamoDB bills each commit per KB and caps an item at
// 400 KB.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ArtifactSummary } from '#contract/artifacts.ts';
import { RunError, Warning } from '#contract/events.ts';
import { limits } from '#contract/limits.ts';
import { newId } from '#platform/ids.ts';
import { runObject } from '../table/object-keys.ts';
import { Packed, packLong, unpack } from '../table/packed.ts';
import { type Item, WriteRefused } from '../table/table.ts';
import { spentToStore } from './stored-spent.ts';

/** What a run reports of its work. */
export const RunReport = z.object({
  message: z.string().nullable().default(null),
  artifacts: z.array(ArtifactSummary).default([]),
  note_ids: z.array(z.string()).default([]),
  warnings: z.array(Warning).default([]),
  errors: z.array(RunError).default([]),
});
export type RunReport = z.infer<typeof RunReport>;

interface Reporting extends RunReport {
  id: string;
  workspace_id: string;
  execution: string;
  sim?: true | undefined;
  spent: object;
  /** The packed report as stored; absent while the report is short. */
  report?: Packed | undefined;
}

const fields = ['message', 'artifacts', 'note_ids', 'warnings', 'errors'] as const;
const absent = Object.fromEntries(fields.map((field) => [field, undefined]));

/** The run with its report packed if it is long; one that has not changed since `before` is not packed again. */
export async function withPackedReport<R extends Reporting>(run: R, before?: R): Promise<R> {
  if (before && fields.every((field) => run[field] === before[field])) return run;
  const key = runObject(run.workspace_id, run.id, `report-${newId()}`);
  const { message, artifacts, note_ids, warnings, errors } = run;
  const whole: RunReport = { message, artifacts, note_ids, warnings, errors };
  return { ...run, report: await packLong(whole, key, limits.run_report_inline_max_bytes) };
}

/** Values that are not stored, because every commit writes the whole run and is billed per KB. */
const unwritten: Item = {
  message: null,
  artifacts: [],
  note_ids: [],
  warnings: [],
  errors: [],
  resume_count: 0,
  inherited: [],
  log_finished: false,
};

/** The attributes of the run. Throws WriteRefused if they exceed the size of a record of a run. */
export function runAttributes({ id, workspace_id: _, execution, spent, ...run }: Reporting): Item {
  const attributes: Item = {
    ...(run.report ? { ...run, ...absent } : run),
    spent: spentToStore({ sim: run.sim, spent }),
    execution: execution === id ? undefined : execution,
  };
  for (const [name, value] of Object.entries(unwritten))
    if (isDeepStrictEqual(attributes[name], value)) attributes[name] = undefined;
  const packedBytes = run.report && 'gz' in run.report ? run.report.gz.length : 0;
  const bytes = Buffer.byteLength(JSON.stringify({ ...attributes, report: undefined })) + packedBytes;
  if (bytes > limits.run_record_max_bytes)
    throw new WriteRefused(`the record of run ${id} takes ${bytes} bytes`);
  return attributes;
}

/** The attributes with a packed report opened. */
export async function openReport(item: Item): Promise<Item> {
  if (item.report === undefined) return item;
  return { ...item, ...(await unpack(Packed.parse(item.report), (value) => RunReport.parse(value))) };
}
