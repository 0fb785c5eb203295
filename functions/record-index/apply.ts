// Applies changes to an index: the present state of records and relationships, and those that are gone.
import type { DatabaseSync } from 'node:sqlite';
import type { Entity, Relationship } from '#contract/entities.ts';
import { plainText, wordsOf } from '#platform/words.ts';
import { bitsOf, type Field, fieldRegistry, hasColumn, isLongCell } from './field-slots.ts';
import { hasFile } from './files.ts';
import { type Cell, flatten, storedFields } from './flatten.ts';
import { noVectors, type VectorWriter, vectorWriter } from './nearest-vectors.ts';
import { plain } from './plain-names.ts';
import { type Prepared, statementCache } from './prepared-statements.ts';
import { LIST_MARK, LONG_MARK, OBJECT_MARK, type Stored, toStored } from './stored-values.ts';
import { type OutlineRecorder, outlineRecorder } from './type-outline.ts';

/** A record, or an item of a live source, which has no times. */
export type IndexedRecord = Pick<
  Entity,
  'id' | 'type' | 'name' | 'fields' | 'external_uri' | 'external_id' | 'source'
> &
  Partial<Pick<Entity, 'created_at' | 'updated_at'>>;

/** A record with its vector, if it has one. */
interface RecordState {
  entity: IndexedRecord;
  vector: ArrayLike<number> | undefined;
  /** Which embedding made it; absent: the offline one. */
  vector_of?: string | undefined;
}

/** The present state of what changed, and the ids of what is gone. */
export interface IndexChanges {
  records: RecordState[];
  gone_records: string[];
  relationships: Relationship[];
  gone_relationships: string[];
}

/** No changes. */
export const noChanges: IndexChanges = {
  records: [],
  gone_records: [],
  relationships: [],
  gone_relationships: [],
};

interface Writer {
  field: ReturnType<typeof fieldRegistry>;
  outline: OutlineRecorder;
  vectors: VectorWriter;
  prepared: Prepared;
  hasWords: boolean;
  hasWide: boolean;
  hasLinks: boolean;
  /** Whether the files have the same changes: what is not new to the core may be new to one that lags. */
  isLevel: boolean;
}

interface FieldCell {
  field: Field;
  cell: Cell;
}

/** Applies the changes to all attached files; call it inside a transaction. Idempotent. */
export function applyChanges(
  database: DatabaseSync,
  changes: IndexChanges,
  { isLevel } = { isLevel: true },
): void {
  const writer: Writer = {
    field: fieldRegistry(database),
    outline: outlineRecorder(database),
    vectors: hasFile(database, 'vectors') ? vectorWriter(database) : noVectors,
    prepared: statementCache(database),
    hasWords: hasFile(database, 'words'),
    hasWide: hasFile(database, 'wide'),
    hasLinks: hasFile(database, 'links'),
    isLevel,
  };
  for (const id of changes.gone_records) removeRecord(writer, id);
  for (const record of changes.records) putRecord(writer, record);
  if (writer.hasLinks) {
    for (const id of changes.gone_relationships) removeRelationship(writer, id);
    for (const relationship of changes.relationships) putRelationship(writer, relationship);
  }
  writer.outline.flush();
  writer.vectors.flush();
}

function putRecord(writer: Writer, { entity, vector, vector_of }: RecordState): void {
  const { id, type, name, external_uri, external_id, source, created_at, updated_at } = entity;
  const known = writer.prepared('SELECT rid, type, name FROM records WHERE id = ?').get(id);
  if (known) clearRecord(writer, Number(known.rid), String(known.type));
  clearRemoved(writer, id);
  const key = plain(name);
  const columns: Record<string, Stored> = {
    ...{ id, type, name, name_key: key },
    created_at: created_at ?? null,
    updated_at: updated_at ?? null,
    external_uri: external_uri ?? null,
    external_id: external_id ?? null,
    source: source ?? null,
    ...(known && { rid: Number(known.rid) }),
  };
  const cells: FieldCell[] = [];
  const apart: FieldCell[] = [];
  for (const [path, cell] of flatten(entity.fields)) {
    const field = writer.field(path, bitsOf(cell));
    cells.push({ field, cell });
    if (hasColumn(field)) columns[`c${field.slot}`] = columnOf(cell);
    if (!hasColumn(field) || cell.kind === 'list' || isLongCell(cell)) apart.push({ field, cell });
  }
  const names = Object.keys(columns);
  const insert = `INSERT INTO records(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const rid = Number(writer.prepared(insert).run(...Object.values(columns)).lastInsertRowid);
  writer.prepared('INSERT INTO bodies(rid, body) VALUES (?, ?)').run(rid, JSON.stringify(entity));
  for (const one of apart) putApart(writer, rid, one);
  for (const { field, cell } of cells) writer.outline.add(type, field, cell, rid);
  writer.outline.countType(type, 1);
  writer.outline.addName(key);
  if (writer.hasWords) {
    const words = [name, plainText(entity.fields), type].map((text) => wordsOf(text).join(' '));
    writer.prepared('INSERT INTO words(rowid, name, body, type) VALUES (?, ?, ?, ?)').run(rid, ...words);
  }
  writer.vectors.put(rid, vector && { components: vector, vector_of }, type);
  if (writer.hasLinks && (known?.name !== name || !writer.isLevel)) renameEnds(writer, id);
}

/** The value of the column: a scalar that is not long, else a mark. */
function columnOf(cell: Cell): Stored {
  if (cell.kind === 'list') return LIST_MARK;
  if (cell.kind === 'object') return OBJECT_MARK;
  return isLongCell(cell) ? LONG_MARK : toStored(cell.value);
}

function putApart({ prepared, hasWide }: Writer, rid: number, { field, cell }: FieldCell): void {
  const { slot } = field;
  const value = cell.kind === 'scalar' ? toStored(cell.value) : columnOf(cell);
  if (hasWide && (cell.kind === 'scalar' || !hasColumn(field)))
    prepared('INSERT INTO wide(rid, slot, value) VALUES (?, ?, ?)').run(rid, slot, value);
  if (cell.kind !== 'list') return;
  for (const one of cell.elements.map(toStored))
    prepared('INSERT OR IGNORE INTO elements(rid, slot, value) VALUES (?, ?, ?)').run(rid, slot, one);
}

function clearRecord(writer: Writer, rid: number, type: string): void {
  const stored = writer.prepared('SELECT body FROM bodies WHERE rid = ?').get(rid);
  for (const [path, cell] of flatten(storedFields(stored?.body)))
    writer.outline.remove(type, writer.field(path, bitsOf(cell)), cell, rid);
  for (const table of ['elements', 'bodies', 'records'])
    writer.prepared(`DELETE FROM ${table} WHERE rid = ?`).run(rid);
  clearTexts(writer, rid);
  writer.outline.countType(type, -1);
}

function clearTexts({ prepared, hasWords, hasWide }: Writer, rid: number): void {
  if (hasWide) prepared('DELETE FROM wide WHERE rid = ?').run(rid);
  if (hasWords) prepared('DELETE FROM words WHERE rowid = ?').run(rid);
}

function removeRecord(writer: Writer, id: string): void {
  const known = writer.prepared('SELECT rid, type FROM records WHERE id = ?').get(id);
  if (known) {
    clearRecord(writer, Number(known.rid), String(known.type));
    writer.prepared('INSERT INTO removed(rid, id) VALUES (?, ?)').run(Number(known.rid), id);
  }
  clearRemoved(writer, id);
}

/** The core has removed a record under its rid; a file that comes later, or lags, knows it by nothing else. */
function clearRemoved(writer: Writer, id: string): void {
  for (const { rid } of writer.prepared('SELECT rid FROM removed WHERE id = ?').all(id)) {
    clearTexts(writer, Number(rid));
    writer.vectors.remove(Number(rid));
  }
}

function putRelationship(writer: Writer, relationship: Relationship): void {
  const { id, type, from_id, to_id, metadata, created_at, updated_at } = relationship;
  removeRelationship(writer, id);
  const own = wordsOf(`${type} ${plainText(metadata)}`).join(' ');
  const { lastInsertRowid } = writer
    .prepared(
      'INSERT INTO relationships(id, type, from_id, to_id, words, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(id, type, from_id, to_id, own, created_at, updated_at);
  indexRelationship(writer, Number(lastInsertRowid), { own, from_id, to_id });
}

/** A relationship is also found by the names of its ends. */
function indexRelationship(
  writer: Writer,
  rid: number,
  { own, from_id, to_id }: { own: string; from_id: string; to_id: string },
): void {
  const name = writer.prepared('SELECT name FROM records WHERE id = ?');
  const ends = [from_id, to_id].map((id) => wordsOf(String(name.get(id)?.name ?? '')).join(' '));
  writer
    .prepared('INSERT INTO relationship_words(rowid, words) VALUES (?, ?)')
    .run(rid, [own, ...ends].join(' '));
}

function renameEnds(writer: Writer, id: string): void {
  const rows = writer
    .prepared('SELECT rid, words, from_id, to_id FROM relationships WHERE from_id = ? OR to_id = ?')
    .all(id, id);
  for (const row of rows) {
    const rid = Number(row.rid);
    writer.prepared('DELETE FROM relationship_words WHERE rowid = ?').run(rid);
    const ends = { own: String(row.words), from_id: String(row.from_id), to_id: String(row.to_id) };
    indexRelationship(writer, rid, ends);
  }
}

function removeRelationship(writer: Writer, id: string): void {
  const known = writer.prepared('SELECT rid FROM relationships WHERE id = ?').get(id);
  if (!known) return;
  writer.prepared('DELETE FROM relationship_words WHERE rowid = ?').run(Number(known.rid));
  writer.prepared('DELETE FROM relationships WHERE rid = ?').run(Number(known.rid));
}
