// Imports. The whole file is checked before its first line is sent. It is read once per pass, in bounded memory.
import * as z from 'zod';
import { ImportEntity, ImportRelationship } from '../../functions/admin/commands.ts';
import type { Send } from './connect-admin.ts';
import { batchesOf } from './import/batches.ts';
import { checkLines } from './import/check-lines.ts';
import type { Progress } from './import/progress.ts';
import { openSource } from './import/read-lines.ts';
import { resolveEnds } from './import/resolve-ends.ts';
import { type Sent, sendBatches } from './import/send-batches.ts';

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

const Started = z.object({ import_id: z.string() });

/**
 * `entity import`. Repeating it after an interruption completes it: stored records are not written again, and lines
 * without an id get the same ids. Throws CliError; unless its message says otherwise, nothing was imported.
 */
export async function importEntities(importing: Importing): Promise<AnswerParts> {
  const { send, workspace_id, file, progress } = importing;
  const source = await openSource(file);
  const { lines, without_id, sha256: file_sha256 } = await checkLines(source, ImportEntity, progress);
  const started =
    without_id > 0
      ? Started.parse(await send({ command: 'import.start', workspace_id, file_sha256 }))
      : undefined;
  const sent = await sendBatches({
    file,
    total: lines,
    batches: batchesOf(source, ImportEntity),
    progress,
    save: async ({ offset, values: entities }) => {
      const origin = started && { ...started, offset };
      return (await send({ command: 'entity.import', workspace_id, entities, origin })).entities;
    },
  });
  const finish = () => send({ command: 'import.end', workspace_id, file_sha256 });
  return answered('entities', sent, importing, started && finish);
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
    save: async ({ values: relationships }) =>
      (await send({ command: 'relationship.import', workspace_id, relationships })).relationships,
  });
  return answered('relationships', sent, importing);
}

/** The answer in parts. Calls `finish` when all parts have been read. */
async function* answered(
  field: 'entities' | 'relationships',
  { imported, by_type, records }: Sent,
  { lists }: Importing,
  finish?: () => Promise<unknown>,
): AsyncGenerator<string | Buffer> {
  yield JSON.stringify({ imported, by_type: Object.fromEntries(by_type) }).slice(0, -1);
  if (lists) {
    yield `,"${field}":[`;
    yield* records();
    yield ']';
  }
  yield '}';
  // An unfinished import does no harm: the same file would get the same ids.
  await finish?.().catch(() => undefined);
}
