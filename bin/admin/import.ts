// Imports. The whole file is checked before its first line is sent. It is read once per pass, in bounded memory.
import * as z from 'zod';
import type { Progress } from '../../clients/cli/output/progress.ts';
import { ImportEntity, ImportRelationship } from '../../functions/domain/records/checked-lines.ts';
import type { Send } from './connect-admin.ts';
import { batchesOf } from './import/batches.ts';
import { checkLines, lineIssues } from './import/check-lines.ts';
import { withOccurrences } from './import/occurrences.ts';
import { openSource } from './import/read-lines.ts';
import { resolveEnds } from './import/resolve-ends.ts';
import { Saved, type Sent, sendBatches } from './import/send-batches.ts';
import { linesOf } from './import/table-file.ts';

/** The JSON of a large answer, in parts. */
export type AnswerParts = AsyncIterable<string | Buffer>;

/** The request of an import and its connections. */
export interface Importing {
  send: Send;
  workspace_id: string;
  file: string;
  progress: Progress;
  /** Whether the answer lists the records. */
  lists: boolean;
}

/** What is chosen for a file of entities: see `Choices` of the reader. */
export const EntityChoices = z.object({
  type: z.string().optional(),
  name_field: z.string().optional(),
  id_field: z.string().optional(),
  text_fields: z.array(z.string()).optional(),
  /** Whether rows of a table change records that exist. Lines of {type, name, fields} do. */
  update: z.boolean().optional(),
  /** Nothing is written. */
  dry_run: z.boolean().optional(),
});
export type EntityChoices = z.infer<typeof EntityChoices>;

const Started = z.object({ import_id: z.string() });
const Fault = z.object({ index: z.number(), path: z.string(), message: z.string() });
const SavedEntities = Saved.omit({ records: true }).extend({
  entities: Saved.shape.records,
  faults: z.array(Fault),
});
const SavedRelationships = Saved.omit({ records: true }).extend({ relationships: Saved.shape.records });

/**
 * `entity import`. Repeating it, after an interruption or not, completes it: a line is the record that it was before,
 * and one that changes nothing is not written. Throws CliError; unless its message says otherwise, nothing was
 * imported.
 */
export async function importEntities(
  importing: Importing,
  { update, dry_run, ...choices }: EntityChoices,
): Promise<AnswerParts> {
  const { send, workspace_id, file, progress } = importing;
  const { source, are_rows } = await linesOf(await openSource(file), choices, progress);
  const how = { ...(are_rows && update !== true && { update: false }), ...(dry_run && { dry_run }) };
  const checked = await checkLines(source, ImportEntity, progress);
  const { lines, without_id, repeats_names, sha256: file_sha256 } = checked;
  const started =
    without_id > 0 && !dry_run
      ? Started.parse(await send({ command: 'import.start', workspace_id, file_sha256 }))
      : undefined;
  const sent = await sendBatches({
    file,
    total: lines,
    batches: withOccurrences(batchesOf(source, ImportEntity)),
    progress,
    save: async ({ offset, lines: numbers, values }) => {
      const origin = started && { ...started, offset };
      const answer = await send({ command: 'entity.import', workspace_id, entities: values, origin, ...how });
      const { entities: records, faults, ...counts } = SavedEntities.parse(answer);
      refuseFaults(file, faults, numbers);
      return { ...counts, records };
    },
    ...(repeats_names && { atOnce: 1 }),
  });
  const finish = () => send({ command: 'import.end', workspace_id, file_sha256 });
  // An import that does not end does no harm: its lines are the records that it made.
  if (started) await finish().catch(() => undefined);
  return answered('entities', sent, importing);
}

/**
 * `relationship import`. Resolves every end before it writes the first line. Repeats and throws like `importEntities`.
 */
export async function importRelationships(importing: Importing): Promise<AnswerParts> {
  const { send, workspace_id, file, progress } = importing;
  const source = await openSource(file);
  const { lines } = await checkLines(source, ImportRelationship, progress);
  const sent = await sendBatches({
    file,
    total: lines,
    batches: await resolveEnds(send, workspace_id, source, progress),
    progress,
    save: async ({ values }) => {
      const answer = await send({ command: 'relationship.import', workspace_id, relationships: values });
      const { relationships: records, ...counts } = SavedRelationships.parse(answer);
      return { ...counts, records };
    },
  });
  return answered('relationships', sent, importing);
}

/** Throws CliError `invalid_file` if there is a fault; `numbers` are those of the lines. */
function refuseFaults(file: string, faults: z.infer<typeof Fault>[], numbers: number[]): void {
  const issues = lineIssues(file);
  for (const { index, path, message } of faults) issues.add(numbers[index], `${path}: ${message}`);
  issues.refuse();
}

/** The answer in parts. */
async function* answered(
  field: 'entities' | 'relationships',
  { by_type, records, ...counts }: Sent,
  { lists }: Importing,
): AsyncGenerator<string | Buffer> {
  yield JSON.stringify({ ...counts, by_type: Object.fromEntries(by_type) }).slice(0, -1);
  if (lists) {
    yield `,"${field}":[`;
    yield* records();
    yield ']';
  }
  yield '}';
}
