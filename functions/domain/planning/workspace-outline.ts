// What a model gets to know of a workspace when it understands or plans a query: types, fields, and the records that the query names.
import type { Entity } from '#contract/entities.ts';
import type { ModelItem, WorkspaceOutline } from '#models/tasks/task.ts';

const FIELDS_MAX = 40;
const CANDIDATES_MAX = 20;

export interface Outline {
  shape: WorkspaceOutline;
  candidates: ModelItem[];
}

function shapeOf(entities: Entity[]): WorkspaceOutline {
  const byType = Map.groupBy(entities, (entity) => entity.type);
  return {
    types: [...byType].map(([type, members]) => ({
      type,
      count: members.length,
      fields: [...new Set(members.flatMap((member) => Object.keys(member.fields)))].slice(0, FIELDS_MAX),
    })),
  };
}

/** Lower case, without accents and signs, words apart by one space: names are found however they are typed. */
function plain(text: string): string {
  return ` ${text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** The records whose whole name the query contains, longest names first. */
function namedIn(query: string, entities: Entity[]): ModelItem[] {
  const words = plain(query);
  return entities
    .filter((entity) => plain(entity.name).trim() !== '' && words.includes(plain(entity.name)))
    .sort((a, b) => b.name.length - a.name.length || (a.id < b.id ? -1 : 1))
    .slice(0, CANDIDATES_MAX)
    .map(({ id, type, name, fields }) => ({ id, type, name, fields }));
}

/** The outline of a workspace for one query. */
export function outlineOf(query: string, entities: Entity[]): Outline {
  return { shape: shapeOf(entities), candidates: namedIn(query, entities) };
}
