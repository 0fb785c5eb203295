// Notes that runs wrote about records.
import * as z from 'zod';
import { Note } from '#contract/entities.ts';
import { runObject } from '../table/object-keys.ts';
import { Packed, packLong, unpack } from '../table/packed.ts';
import { type Item, queryNewest, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { livesWith, type OwningRun, openExisting, openMany } from './items-with-run.ts';

/** Write that saves a note of a run; `note.id` is time-ordered. */
export async function noteWrite(run: OwningRun, note: Note): Promise<Write> {
  const key = runObject(run.workspace_id, run.id, `note-${note.id}`);
  const long_content = await packLong(note.content, key);
  const stored = long_content ? { ...note, content: undefined, long_content } : note;
  const Item = { ...keys.note(note.workspace_id, note.id), ...stored, ...livesWith(run) };
  return { Put: { TableName: tableName(), Item } };
}

/** As stored: a long content is packed. */
const Stored = z.object({ ...Note.shape, content: z.string().optional(), long_content: Packed.optional() });

async function open(item: Item): Promise<Note> {
  const { long_content, ...note } = Stored.parse(item);
  if (!long_content) return Note.parse(note);
  return Note.parse({
    ...note,
    content: await unpack(long_content, (value) => Note.shape.content.parse(value)),
  });
}

/** The note, or undefined if the workspace has none of this id. */
export async function get(workspaceId: string, id: string): Promise<Note | undefined> {
  const [note] = await getMany(workspaceId, [id]);
  return note;
}

/** The notes that exist among the ids, in their order. */
export function getMany(workspaceId: string, ids: string[]): Promise<Note[]> {
  return openMany(workspaceId, ids, keys.note, open);
}

/** The newest notes of a workspace. */
export async function newest(workspaceId: string, limit: number): Promise<Note[]> {
  return openExisting(workspaceId, await queryNewest(keys.notes(workspaceId), limit), open);
}
