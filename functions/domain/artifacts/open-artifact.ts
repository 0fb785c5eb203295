// An artifact that is read while it is sent: a large one is never in memory as a whole.
import * as z from 'zod';
import { ArtifactKind, type EntityLink, type TableRow } from '#contract/artifacts.ts';
import { fail } from '#contract/errors.ts';
import { isUuid } from '#platform/crypto.ts';
import { type OpenList, openList } from '#platform/json-elements.ts';
import * as artifacts from '#store/runs/artifacts.ts';

const Head = z.object({ kind: ArtifactKind, title: z.string() });

/** What is known of an artifact before the rest of its text is read. */
export interface OpenArtifact extends z.infer<typeof Head> {
  id: string;
  entity_refs: EntityLink[];
  /** The JSON as stored, without its links. It can be read once. */
  text: AsyncIterable<Buffer>;
  /** Closes what is open, read or not. */
  close(): void;
}

/** The members up to the kind, all of them strings or numbers; a string has no quote that is not escaped. */
const UP_TO_KIND = /^\{(?:"\w+":(?:"(?:[^"\\]|\\.)*"|\d+),)*?"kind":"\w+"/;

/** The artifact of an id. Throws artifact_not_found. */
export async function openArtifact(workspaceId: string, asked: string | undefined): Promise<OpenArtifact> {
  if (!isUuid(asked)) throw fail('artifact_not_found');
  const id = asked.toLowerCase();
  const found = await artifacts.openText(workspaceId, id);
  if (!found) throw fail('artifact_not_found');
  const { text: stored, entity_refs } = found;
  const pieces: AsyncIterator<Buffer> = stored[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) throw new Error(`artifact ${id} is not readable`);
    read.push(value);
    const begun = UP_TO_KIND.exec(Buffer.concat(read).toString())?.[0];
    if (begun === undefined) continue;
    const { kind, title } = Head.parse(JSON.parse(`${begun}}`));
    return { id, kind, title, entity_refs, text: resumed(read, pieces), close: () => void stored.destroy() };
  }
}

async function* resumed(read: Buffer[], pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* read;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

const TableHead = z.looseObject({ row_count: z.number(), columns: z.array(z.string()) });

/** A table whose rows come in groups, as they are read. */
export interface OpenTable {
  /** Everything but the rows. */
  head: z.infer<typeof TableHead>;
  rows: AsyncIterable<TableRow[]>;
}

/** The table in the text of an artifact of that kind. */
export async function openTable({ id, text }: OpenArtifact): Promise<OpenTable> {
  const list = await openList(text, 'rows');
  if (!list) throw new Error(`table ${id} has no rows`);
  return { head: TableHead.parse(JSON.parse(`${list.before}"rows":[]}`)), rows: rowsIn(list) };
}

async function* rowsIn({ elements }: OpenList): AsyncGenerator<TableRow[]> {
  for await (const rows of elements) yield rows.map((row): TableRow => JSON.parse(row));
}
