// Numbers the lines without id and outside names over the whole file, those of each type and name apart.
import type { EntityLine } from '../../../functions/contract/entities.ts';
import type { Batch } from './batches.ts';
import { numbersOnDisk } from './numbers-on-disk.ts';

/** The batches, with an `occurrence` on each such line (rules.md: admin 12). */
export async function* withOccurrences(
  batches: AsyncIterable<Batch<EntityLine>>,
): AsyncGenerator<Batch<EntityLine>> {
  const counts = numbersOnDisk();
  try {
    for await (const batch of batches)
      yield { ...batch, values: batch.values.map((line) => numbered(line, counts)) };
  } finally {
    counts.close();
  }
}

function numbered(line: EntityLine, counts: ReturnType<typeof numbersOnDisk>): EntityLine {
  const { id, external_uri, external_id, source } = line;
  const isNamed = id !== undefined || external_uri !== undefined;
  if (isNamed || (external_id !== undefined && source !== undefined)) return line;
  const occurrence = counts.count(JSON.stringify([line.type, line.name]));
  return { ...line, occurrence: line.occurrence ?? occurrence };
}
