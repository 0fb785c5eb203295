// Notes that runs wrote about records.
import { Note } from '#contract/entities.ts';
import { getItem, getItems, queryNewest, tableName, type Write } from './table.ts';
import { keys } from './table-keys.ts';

/** Write that saves a note; `note.id` is time-ordered. */
export function noteWrite(note: Note): Write {
  return { Put: { TableName: tableName(), Item: { ...keys.note(note.workspace_id, note.id), ...note } } };
}

const parse = (item: Record<string, unknown>): Note => {
  const { pk: _, sk: __, ...note } = item;
  return Note.parse(note);
};

/** The note, or undefined when the workspace has none of this id. */
export async function get(workspaceId: string, id: string): Promise<Note | undefined> {
  const item = await getItem(keys.note(workspaceId, id));
  return item && parse(item);
}

/** The notes that exist among the ids, in their order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<Note[]> {
  const items = await getItems([...new Set(ids)].map((id) => keys.note(workspaceId, id)));
  const found = new Map(items.map(parse).map((note) => [note.id, note]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The newest notes of a workspace. */
export async function newest(workspaceId: string, limit: number): Promise<Note[]> {
  return (await queryNewest(keys.notes(workspaceId), limit)).map(parse);
}
