// What a model gets to know of a workspace when it understands or plans a query: types, fields, and the values and records that the query names.
import type { Entity } from '#contract/entities.ts';
import type { KnownWorkspace, MentionedValue, OutlineField, WorkspaceOutline } from '#models/tasks/task.ts';
import { type Cell, flatten } from '#record-index/flatten.ts';
import { plain } from '#record-index/plain.ts';

const FIELDS_MAX = 40;
const SAMPLES_MAX = 20;
const SAMPLE_MAX_CHARACTERS = 63;
const CANDIDATES_MAX = 20;
const VALUES_MAX = 50;

/** The values at every path of some records. */
function cellsOf(entities: Entity[]): Map<string, Cell[]> {
  const cells = new Map<string, Cell[]>();
  for (const { fields } of entities)
    for (const [path, cell] of flatten(fields)) {
      const known = cells.get(path);
      if (known) known.push(cell);
      else cells.set(path, [cell]);
    }
  return cells;
}

function kindOf(cell: Cell): OutlineField['kinds'][number] {
  if (cell.kind !== 'scalar') return cell.kind;
  return typeof cell.value === 'string' ? 'text' : typeof cell.value === 'number' ? 'number' : 'boolean';
}

function textsOf(cells: Cell[]): string[] {
  const scalars = cells.flatMap((cell) =>
    cell.kind === 'scalar' ? [cell.value] : cell.kind === 'list' ? cell.elements : [],
  );
  const texts = scalars.filter((value) => typeof value === 'string');
  return [...new Set(texts.filter((text) => text.length <= SAMPLE_MAX_CHARACTERS))];
}

function fieldOf(path: string, cells: Cell[]): OutlineField {
  const numbers = cells.flatMap((cell) =>
    cell.kind === 'scalar' && typeof cell.value === 'number' ? [cell.value] : [],
  );
  return {
    path,
    kinds: [...new Set(cells.map(kindOf))],
    ...(numbers.length > 0 && {
      low: numbers.reduce((low, number) => Math.min(low, number)),
      high: numbers.reduce((high, number) => Math.max(high, number)),
    }),
    samples: textsOf(cells).slice(0, SAMPLES_MAX),
  };
}

function shapeOf(byType: Map<string, Entity[]>): WorkspaceOutline {
  return {
    types: [...byType].map(([type, members]) => ({
      type,
      count: members.length,
      fields: [...cellsOf(members)].slice(0, FIELDS_MAX).map(([path, cells]) => fieldOf(path, cells)),
    })),
  };
}

/** Tells whether the query contains a text whole, however either is typed. */
function mentionsIn(query: string): (text: string) => boolean {
  const said = ` ${plain(query)} `;
  return (text) => {
    const words = plain(text);
    return words !== '' && said.includes(` ${words} `);
  };
}

/** The values of fields that the query contains whole, longest first. */
function valuesIn(query: string, byType: Map<string, Entity[]>): MentionedValue[] {
  const mentions = mentionsIn(query);
  const found = new Map<string, MentionedValue>();
  for (const [type, members] of byType)
    for (const [path, cells] of cellsOf(members))
      for (const value of textsOf(cells).filter(mentions)) {
        const key = JSON.stringify([path, value]);
        const known = found.get(key) ?? { path, value, types: [] };
        found.set(key, { ...known, types: [...known.types, type] });
      }
  return [...found.values()].sort((a, b) => b.value.length - a.value.length).slice(0, VALUES_MAX);
}

/** The records whose whole name the query contains, longest names first. */
function namedIn(query: string, entities: Entity[]): KnownWorkspace['candidates'] {
  const mentions = mentionsIn(query);
  return entities
    .filter(({ name }) => mentions(name))
    .sort((a, b) => b.name.length - a.name.length || (a.id < b.id ? -1 : 1))
    .slice(0, CANDIDATES_MAX)
    .map(({ id, type, name, fields }) => ({ id, type, name, fields }));
}

/** What a model gets to know of a workspace for one query. */
export function outlineOf(query: string, entities: Entity[]): KnownWorkspace {
  const byType = Map.groupBy(entities, ({ type }) => type);
  return { shape: shapeOf(byType), values: valuesIn(query, byType), candidates: namedIn(query, entities) };
}
