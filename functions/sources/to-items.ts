// How each kind of record becomes an item, and the text by which an item is searched.
import type { Artifact } from '#contract/artifacts.ts';
import type { Entity, Note, Relationship } from '#contract/entities.ts';
import type { JsonObject } from '#contract/json.ts';
import { plainText } from '#platform/words.ts';
import type { Item } from './source-port.ts';

const EXCERPT_MAX_CHARACTERS = 4000;

/** A record as an item. */
export function entityItem({ id, type, name, fields, created_at, updated_at }: Entity): Item {
  return { id, kind: 'entity', type, name, fields, created_at, updated_at };
}

/** A record as an item, with its outside names: a step drops them before it saves the item. */
export function namedItem(entity: Entity): Item {
  const { external_uri, external_id, source } = entity;
  return {
    ...entityItem(entity),
    ...(external_uri !== undefined && { external_uri }),
    ...(external_id !== undefined && { external_id }),
    ...(source !== undefined && { source }),
  };
}

/** A note as an item; `about` names the record it is about. */
export function noteItem(note: Note, about: Entity | undefined): Item {
  return {
    id: note.id,
    kind: 'note',
    type: 'note',
    name: note.title,
    fields: { ...(about ? { about: about.name } : {}), content: note.content },
    created_at: note.created_at,
    updated_at: note.created_at,
  };
}

/** A relationship as an item: both ends by name and id, then its metadata (which cannot hide the ends). */
export function relationshipItem(relationship: Relationship, from: Entity, to: Entity): Item {
  return {
    id: relationship.id,
    kind: 'relationship',
    type: 'relationship',
    name: `${from.name} ${relationship.type} ${to.name}`,
    fields: {
      ...relationship.metadata,
      from: from.name,
      from_id: from.id,
      relationship_type: relationship.type,
      to: to.name,
      to_id: to.id,
    },
    created_at: relationship.created_at,
    updated_at: relationship.updated_at,
  };
}

/** An artifact as an item: its kind and its beginning, never the whole body. */
export function artifactItem(artifact: Artifact): Item {
  return {
    id: artifact.id,
    kind: 'artifact',
    type: 'artifact',
    name: artifact.title,
    fields: { kind: artifact.kind, ...summaryOf(artifact) },
    created_at: artifact.created_at,
    updated_at: artifact.created_at,
  };
}

function summaryOf(artifact: Artifact): JsonObject {
  switch (artifact.kind) {
    case 'table':
      return { row_count: artifact.row_count, columns: artifact.columns };
    case 'text':
      return { excerpt: artifact.content.slice(0, EXCERPT_MAX_CHARACTERS) };
    case 'entity_card':
      return { about: artifact.content.entity.name, excerpt: artifact.content.summary };
  }
}

/**
 * The text by which an item is searched: its name and all values of its fields, at any depth. A write embeds the same
 * text of a record, so that stored and new vectors agree.
 */
export function searchText(item: Pick<Item, 'name' | 'fields'>): string {
  return `${item.name} ${plainText(item.fields)}`;
}
