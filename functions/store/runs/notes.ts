// Notes that runs wrote about records.
import { Note } from '#contract/entities.ts';
import { Packed, packLong, unpack } from '../table/packed.ts';
import { getItem, getItems, type Item, queryNewest, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** Write that saves a note; `note.id` is time-ordered. */
export async function noteWrite(note: Note): Promise<Write> {
  const key = `${note.workspace_id}/notes/${note.id}.json`;
  const long_content = await packLong(note.content, key);
  const stored = long_content ? { ...note, content: undefined, long_content } : note;
  return { Put: { TableName: tableName(), Item: { ...keys.note(note.workspace_id, note.id), ...stored } } };
}

async function open(item: Item): Promise<Note> {
  const { pk: _, sk: __, long_content, ...note } = item;
  if (long_content === undefined) return Note.parse(note);
  const content = await unpack(Packed.parse(long_content), (value) => Note.shape.content.parse(value));
  return Note.parse({ ...note, content });
}

/** The note, or undefined if the workspace has none of this id. */
export async function get(workspaceId: string, id: string): Promise<Note | undefined> {
  const item = await getItem(keys.note(workspaceId, id));
  return item && open(item);
}

/** The notes that exist among the ids, in their order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<Note[]> {
  const items = await getItems([...new Set(ids)].map((id) => keys.note(workspaceId, id)));
  const found = new Map((await Promise.all(items.map(open))).map((note) => [note.id, note]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The newest notes of a workspace. */
export async function newest(workspaceId: string, limit: number): Promise<Note[]> {
  return Promise.all((await queryNewest(keys.notes(workspaceId), limit)).map(open));
}
