// The ids of records that imports made of lines without an id: which import, which line, and whether it had a name.
import { sha256, uuidFrom } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';

/** The version of the id of an import whose lines spread over all ids, and of the ids of its lines. */
const SPREADS = 8;
/** About the lines of one transaction, so that it writes to few places of the table. */
const BLOCK_LINES = 50;
/** The first lines stay in their order, which decides among ties; one partition writes them in 20 s. */
const LINES_IN_ORDER = 10_000;
/** Follows the bytes of the import. The number of a line takes the five bytes after it. */
const NAMED_AT = 10;

export const newImportId = (): string => uuidFrom(sha256(newId()), SPREADS);

/**
 * The id of a record whose line has none; it tells whether the line had an outside name. Blocks of later lines spread
 * over all ids: where every write is at the end of a partition, DynamoDB cannot divide the load.
 */
export function lineId(importId: string, line: number, isNamed = false): string {
  const bytes = Buffer.alloc(16);
  Buffer.from(importId.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, NAMED_AT);
  bytes.writeUIntBE(line, NAMED_AT, 6);
  bytes.writeUInt8(isNamed ? 1 : 0, NAMED_AT);
  if (line >= LINES_IN_ORDER && spreads(importId))
    sha256(`${importId} ${Math.floor(line / BLOCK_LINES)}`).copy(bytes, 0, 0, 4);
  return uuidFrom(bytes);
}

/** An unfinished import of before has an id of version 4: the lines that it imports again keep their ids. */
const spreads = (importId: string): boolean => importId.charAt(14) === String(SPREADS);

/** Whether an import made the record of a line without id and outside names. */
export const isUnnamed = (id: string): boolean =>
  id.charAt(14) === String(SPREADS) && id.slice(24, 26) === '00';

/** What the ids of one import have in common. */
export const importOf = (id: string): string => id.slice(9, 23);

/** The line of an id, as text that sorts as its number does. */
export const lineOf = (id: string): string => id.slice(24);
