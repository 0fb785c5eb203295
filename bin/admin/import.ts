// Imports: checks the whole file before the first line is sent, then sends it in chunks that fit one invocation.
import * as z from 'zod';
import { IMPORT_MAX_LINES, ImportEntity, ImportRelationship } from '../../functions/admin/commands.ts';
import type { RelationshipLine } from '../../functions/contract/entities.ts';
import { CliError } from './cli-error.ts';
import type { Send } from './connect-admin.ts';
import { invalidLines, type Line, readLines } from './read-file.ts';

/** An invocation takes 6 MB; the rest is reserved for JSON syntax. */
const CHUNK_MAX_BYTES = 4_000_000;

type Answer = Record<string, unknown>;

/** `entity import`. Throws CliError; unless its message says otherwise, nothing was imported. */
export async function importEntities(send: Send, workspace_id: string, file: string): Promise<Answer> {
  const lines = readLines(file, ImportEntity);
  refuseTwins(file, lines);
  const again = 'Importing the file again makes second records of lines without an id.';
  return sendAll(file, chunks(lines), 'entities', again, (entities) =>
    send({ command: 'entity.import', workspace_id, entities }),
  );
}

/** `relationship import`; every end is resolved before the first line is written. Throws as `importEntities`. */
export async function importRelationships(send: Send, workspace_id: string, file: string): Promise<Answer> {
  const issues: string[] = [];
  const resolved: Line<RelationshipLine>[][] = [];
  for (const chunk of chunks(readLines(file, ImportRelationship))) {
    const relationships = chunk.map(({ value: { from, to } }) => ({ from, to }));
    const answer = await send({ command: 'relationship.resolve', workspace_id, relationships });
    const { ends, unresolvable } = Resolved.parse(answer);
    issues.push(...unresolvable.map(({ index, end, ref }) => dangling(chunk[index]?.line, end, ref)));
    resolved.push(chunk.map(({ line, value }, i) => ({ line, value: { ...value, ...ends[i] } })));
  }
  if (issues.length > 0) throw invalidLines(file, issues);
  const again = 'Importing the file again is safe.';
  return sendAll(file, resolved, 'relationships', again, (relationships) =>
    send({ command: 'relationship.import', workspace_id, relationships }),
  );
}

const Ends = z
  .object({ from_id: z.string(), to_id: z.string() })
  .transform(({ from_id, to_id }) => ({ from: { id: from_id }, to: { id: to_id } }));
const Resolved = z.object({
  ends: z.array(Ends.nullable()),
  unresolvable: z.array(z.object({ index: z.number(), end: z.string(), ref: z.unknown() })),
});

function dangling(line: number | undefined, end: string, ref: unknown): string {
  return `line ${line}: ${end} matches no single record: ${JSON.stringify(ref)}`;
}

/** Two lines of one file must not have the same id. */
function refuseTwins(file: string, lines: Line<{ id?: string | undefined }>[]): void {
  const seen = new Map<string, number>();
  const issues: string[] = [];
  for (const { line, value } of lines) {
    const id = value.id?.toLowerCase();
    if (id === undefined) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, line);
    else issues.push(`line ${line}: has the id of line ${first}`);
  }
  if (issues.length > 0) throw invalidLines(file, issues);
}

/** Splits the lines, in order, into chunks that fit one command; no lines give one empty chunk, so that the workspace is still checked. */
function chunks<T>(lines: Line<T>[]): Line<T>[][] {
  const all: Line<T>[][] = [[]];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(JSON.stringify(line.value));
    const last = all.at(-1);
    if (last && last.length < IMPORT_MAX_LINES && (last.length === 0 || bytes + size <= CHUNK_MAX_BYTES)) {
      last.push(line);
      bytes += size;
    } else {
      all.push([line]);
      bytes = size;
    }
  }
  return all;
}

async function sendAll<T>(
  file: string,
  all: Line<T>[][],
  field: 'entities' | 'relationships',
  again: string,
  send: (values: T[]) => Promise<Answer>,
): Promise<Answer> {
  const imported: unknown[] = [];
  for (const chunk of all) {
    try {
      const { [field]: saved } = await send(chunk.map(({ value }) => value));
      imported.push(...z.array(z.unknown()).parse(saved));
    } catch (error) {
      throw error instanceof CliError ? interrupted(file, error, chunk, imported.length, again) : error;
    }
  }
  return { imported: imported.length, [field]: imported };
}

/** The service's error; where some lines may be imported already, it says which. */
function interrupted(
  file: string,
  error: CliError,
  chunk: Line<unknown>[],
  before: number,
  again: string,
): CliError {
  const certain = before === 0 && error.code !== 'import_interrupted' && error.code !== 'internal_error';
  if (certain) return error;
  const [from, to] = [chunk[0]?.line, chunk.at(-1)?.line];
  return new CliError(
    error.code,
    `${file}: ${before} records were imported, then lines ${from} to ${to} failed: ${error.message} ${again}`,
  );
}
