// An artifact that is read while it is sent: a large one is never in memory as a whole.
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { ArtifactKind, type EntityLink, type TableRow } from '#contract/artifacts.ts';
import { fail } from '#contract/errors.ts';
import { isUuid } from '#platform/crypto.ts';
import { elementsOf } from '#platform/json-elements.ts';
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
export async function openArtifact(workspaceId: string, id: string | undefined): Promise<OpenArtifact> {
  const found = isUuid(id) ? await artifacts.openText(workspaceId, id.toLowerCase()) : undefined;
  if (!found || !isUuid(id)) throw fail('artifact_not_found');
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
    return { id, kind, title, entity_refs, text: resumed(read, pieces), close: () => closed(stored) };
  }
}

async function* resumed(read: Buffer[], pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* read;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

function closed(stored: Readable): void {
  stored.destroy();
}

const TableHead = z.looseObject({ row_count: z.number(), columns: z.array(z.string()) });

/** A table whose rows come in groups, as they are read. */
export interface OpenTable {
  /** Everything but the rows. */
  head: z.infer<typeof TableHead>;
  rows: AsyncIterable<TableRow[]>;
}

/** Within a string these quotes would be escaped, so its first place is the member of a table. */
const ROWS = '"rows":[';

/** The table in the text of an artifact of that kind. */
export async function openTable({ id, text }: OpenArtifact): Promise<OpenTable> {
  const pieces = decoded(text);
  let read = '';
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) throw new Error(`table ${id} has no rows`);
    read += value;
    const at = read.indexOf(ROWS);
    if (at < 0) continue;
    const head = TableHead.parse(JSON.parse(`${read.slice(0, at)}"rows":[]}`));
    return { head, rows: rowsIn(read.slice(at + ROWS.length), pieces) };
  }
}

async function* decoded(text: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const piece of text) yield decoder.decode(piece, { stream: true });
}

async function* rowsIn(begun: string, pieces: AsyncIterable<string>): AsyncGenerator<TableRow[]> {
  async function* rest() {
    yield begun;
    yield* pieces;
  }
  for await (const rows of elementsOf(rest())) yield rows.map((row): TableRow => JSON.parse(row));
}
