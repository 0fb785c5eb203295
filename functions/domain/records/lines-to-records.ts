// What the lines of an import make of the records, one line after another (rules.md: admin 12).
import type { Entity, EntityLine } from '#contract/entities.ts';
import { updateTime } from '#store/records/entity-items.ts';
import { hasContentOf } from './same-content.ts';
import {
  type Candidates,
  type LineOrigin,
  type NumberedLine,
  newIdOf,
  outsideNames,
  textOf,
} from './which-record.ts';

/** What became of a line; the record of a line that changes nothing is the stored one. */
export interface LineOutcome extends NumberedLine {
  record: Entity;
  outcome: 'created' | 'updated' | 'unchanged';
}

/** A line that is no record, by its index, with the field that is at fault. */
export interface LineFault {
  index: number;
  path: string;
  message: string;
}

/** A reason for which a line is refused. */
class Refused extends Error {
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.name = 'Refused';
    this.path = path;
  }
}

/**
 * The outcomes of the lines that are not at fault, in their order, and the faults of the others. Without `updates`, a
 * record that exists stays.
 */
export function applyLines(
  workspaceId: string,
  lines: NumberedLine[],
  origin: LineOrigin,
  candidates: Candidates,
  updates: boolean,
): { outcomes: LineOutcome[]; faults: LineFault[] } {
  const records = presentRecords(candidates);
  const outcomes: LineOutcome[] = [];
  const faults: LineFault[] = [];
  for (const one of lines) {
    try {
      const ownId = newIdOf(one, origin);
      const before = records.match(one, ownId);
      if (before && !updates) {
        outcomes.push({ ...one, record: before, outcome: 'unchanged' });
        continue;
      }
      const after = mergeLine(workspaceId, one.line, before ?? ownId);
      records.requireFree(after, before);
      const isChanged = !hasContentOf(before, after);
      if (isChanged) records.put(after, before);
      const outcome = before === undefined ? 'created' : isChanged ? 'updated' : 'unchanged';
      outcomes.push({ ...one, record: isChanged || !before ? after : before, outcome });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      faults.push({ index: one.index, path: error.path, message: error.message });
    }
  }
  return { outcomes, faults };
}

/** The record with the content of its line, a new one with the given id; it keeps what the line lacks. */
function mergeLine(workspace_id: string, line: EntityLine, from: Entity | string): Entity {
  const { type, name, fields, external_uri, external_id, source } = line;
  const before = typeof from === 'string' ? undefined : from;
  const updated_at = updateTime(before);
  return {
    id: typeof from === 'string' ? from : from.id,
    workspace_id,
    type,
    name,
    fields: fields ?? before?.fields ?? {},
    external_uri: external_uri ?? before?.external_uri,
    external_id: external_id ?? before?.external_id,
    source: source ?? before?.source,
    created_at: before?.created_at ?? updated_at,
    updated_at,
  };
}

/** The candidates as they are after the lines so far. */
function presentRecords({ stored, holders, twins }: Candidates) {
  const records = new Map(stored);
  const named = new Map<string, Set<string>>([...holders].map(([text, ids]) => [text, new Set(ids)]));
  const holdersOf = (text: string): Entity[] =>
    [...(named.get(text) ?? [])].flatMap((id) => records.get(id) ?? []);

  /** The record of a line; `ownId` is that of a new one, which an interrupted import may have written. */
  function match({ line, occurrence, index }: NumberedLine, ownId: string): Entity | undefined {
    const own = records.get(ownId);
    if (own && (line.id !== undefined || occurrence !== undefined)) return own;
    if (occurrence !== undefined) {
      const id = twins.get(index);
      return id === undefined ? undefined : records.get(id);
    }
    for (const name of outsideNames(line)) {
      const found = holdersOf(textOf(name));
      if (found.length > 0) return theOne(found, line.type, name);
    }
    return own;
  }

  /** Throws Refused when a record would get a name that another one has. */
  function requireFree(after: Entity, before: Entity | undefined): void {
    const had = new Set(before ? outsideNames(before).map(textOf) : []);
    for (const name of outsideNames(after)) {
      const other = had.has(textOf(name))
        ? undefined
        : holdersOf(textOf(name)).find(({ id }) => id !== after.id);
      if (other)
        throw new Refused(pathOf(name), `${nameForMessage(name)} belongs to another record, ${other.id}`);
    }
  }

  function put(after: Entity, before: Entity | undefined): void {
    for (const name of before ? outsideNames(before) : []) named.get(textOf(name))?.delete(after.id);
    for (const name of outsideNames(after))
      named.set(textOf(name), (named.get(textOf(name)) ?? new Set()).add(after.id));
    records.set(after.id, after);
  }
  return { match, requireFree, put };
}

type Named = ReturnType<typeof outsideNames>[number];

/**
 * The record that a name means. Systems number the records of each of their types from 1, so an external id means one
 * of the line's type; a URI means its record whatever that was. Throws Refused.
 */
function theOne(found: Entity[], type: string, name: Named): Entity {
  const ofType = found.filter((record) => record.type === type);
  const [first, second] = ofType.length > 0 || 'external_id' in name ? ofType : found;
  if (second) throw new Refused(pathOf(name), `${nameForMessage(name)} belongs to ${found.length} records`);
  if (first) return first;
  throw new Refused(pathOf(name), `${nameForMessage(name)} belongs to a record of type ${found[0]?.type}`);
}

const pathOf = (name: Named): string => ('external_uri' in name ? 'external_uri' : 'external_id');

const nameForMessage = (name: Named): string =>
  'external_uri' in name ? name.external_uri : `${name.external_id} of ${name.source}`;
