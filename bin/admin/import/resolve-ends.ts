// Resolves the ends of all relationships of a file before the first one is written.
import * as z from 'zod';
import type { Progress } from '../../../clients/cli/output/progress.ts';
import type { EntityRef, RelationshipLine } from '../../../functions/contract/entities.ts';
import { ImportRelationship } from '../../../functions/domain/records/checked-lines.ts';
import type { Send } from '../connect-admin.ts';
import { type Batch, batchesOf, inOrder } from './batches.ts';
import { lineIssues } from './check-lines.ts';
import { numbersOnDisk } from './numbers-on-disk.ts';
import { readLines, type Source } from './read-lines.ts';
import { temporaryFile } from './temporary-file.ts';

const Ends = z
  .object({ from_id: z.string(), to_id: z.string() })
  .transform(({ from_id, to_id }) => ({ from: { id: from_id }, to: { id: to_id } }));
/** Text that is equal for lines of one relationship (rules.md: admin 13). */
const identityOf = ({ from, to, type, metadata }: RelationshipLine): string =>
  JSON.stringify([from, to, type, Object.entries(metadata).filter(([name]) => name === 'role')]);

const Resolved = z.object({
  ends: z.array(Ends.nullable()),
  unresolvable: z.array(z.object({ index: z.number(), end: z.enum(['from', 'to']) })),
});

/** Number of cached references: most files repeat the same records. */
const REFERENCES_REMEMBERED = 100_000;

/** References that this pass has resolved: they are sent as ids, which the service looks up in batches. */
function rememberedReferences() {
  const ids = new Map<string, { id: string }>();
  const nameOf = (ref: EntityRef) => JSON.stringify(Object.entries(ref).sort());
  return {
    shorten: (ref: EntityRef): EntityRef => ids.get(nameOf(ref)) ?? ref,
    remember(ref: EntityRef, resolved: { id: string }) {
      if (ids.size >= REFERENCES_REMEMBERED) ids.clear();
      ids.set(nameOf(ref), resolved);
    },
  };
}

/**
 * The relationships of a file with the ids of their ends, in batches. Throws CliError `invalid_file` that lists the
 * first 20 lines with an end that matches no single record.
 */
export async function resolveEnds(
  send: Send,
  workspace_id: string,
  source: Source,
  progress: Progress,
): Promise<AsyncIterable<Batch<RelationshipLine>>> {
  const issues = lineIssues(source.file);
  const resolved = temporaryFile();
  const references = rememberedReferences();
  const lastLines = numbersOnDisk();
  let lines = 0;
  const answers = inOrder(batchesOf(source, ImportRelationship), async (batch) => {
    const relationships = batch.values.map(({ from, to }) => ({
      from: references.shorten(from),
      to: references.shorten(to),
    }));
    const answer = Resolved.parse(
      await send({ command: 'relationship.resolve', workspace_id, relationships }),
    );
    return { batch, answer };
  });
  for await (const { batch, answer } of answers) {
    for (const { index, end } of answer.unresolvable)
      issues.add(
        batch.lines[index],
        `${end} matches no single record: ${JSON.stringify(batch.values[index]?.[end])}`,
      );
    answer.ends.forEach((ends, i) => {
      const line = batch.values[i];
      if (!ends || !line) return;
      references.remember(line.from, ends.from);
      references.remember(line.to, ends.to);
    });
    const values = batch.values.map((value, i) => ({ ...value, ...answer.ends[i] }));
    for (const [i, value] of values.entries()) lastLines.replace(identityOf(value), batch.lines[i] ?? 0);
    await resolved.append(`${JSON.stringify({ ...batch, values })}\n`);
    lines += batch.lines.length;
    progress.show(`Resolved the ends of ${lines} lines`);
  }
  issues.refuse();
  return resolvedBatches(resolved.read(), lastLines);
}

const ResolvedBatch: z.ZodType<Batch<RelationshipLine>> = z.object({
  offset: z.number(),
  lines: z.array(z.number()),
  values: z.array(z.custom<RelationshipLine>()),
});

/** Of the lines of one relationship only the last is sent: batches are saved in no order. */
async function* resolvedBatches(
  bytes: AsyncIterable<Buffer>,
  lastLines: ReturnType<typeof numbersOnDisk>,
): AsyncGenerator<Batch<RelationshipLine>> {
  for await (const read of readLines(bytes, ResolvedBatch)) {
    if ('issue' in read) continue;
    const { offset, lines, values } = read.value;
    const isLast = values.map((value, i) => lastLines.find(identityOf(value)) === lines[i]);
    yield { offset, lines: lines.filter((_, i) => isLast[i]), values: values.filter((_, i) => isLast[i]) };
  }
  lastLines.close();
}
