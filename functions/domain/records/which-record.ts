// Which record a line of an import is (rules.md: admin 12).
import type { Entity, EntityLine, EntityRef } from '#contract/entities.ts';
import type { Holder, RecordName } from '#contract/record-queries.ts';
import { compareText } from '#contract/record-queries.ts';
import { holdersInIndex } from '#domain/records/index-home.ts';
import * as entities from '#store/records/entity-items.ts';
import { importOf, lineId, lineOf } from '#store/records/line-ids.ts';

type OutsideName = Exclude<EntityRef, { id: string }>;

/** Where lines come from: the import of a file, and how many lines of the file come before them. */
export interface LineOrigin {
  import_id: string;
  offset: number;
}

/** What the lines may be: the stored records by id, and the ids that have each name. */
export interface Candidates {
  stored: Map<string, Entity>;
  /** By `textOf` of the name; for lines without one the oldest first. */
  holders: Map<string, string[]>;
  /** Of lines without id and outside names: the how manieth of its type and name each is; undefined for others. */
  occurrences: (number | undefined)[];
}

/** The outside names of a line or a record, in the order in which they decide. */
export function outsideNames({
  external_uri,
  external_id,
  source,
}: Pick<Entity, 'external_uri' | 'external_id' | 'source'>): OutsideName[] {
  return [
    ...(external_id !== undefined && source !== undefined ? [{ external_id, source }] : []),
    ...(external_uri !== undefined ? [{ external_uri }] : []),
  ];
}

/** Text that is equal for equal names. */
export const textOf = (name: RecordName): string => JSON.stringify(Object.entries(name).sort());

const isUnnamedLine = (line: EntityLine): boolean => line.id === undefined && outsideNames(line).length === 0;

/** Reads what the lines may be. */
export async function readCandidates(
  workspaceId: string,
  lines: EntityLine[],
  origin: LineOrigin,
): Promise<Candidates> {
  const occurrences = occurrencesOf(lines);
  const names = new Map<string, RecordName>();
  for (const [i, line] of lines.entries()) {
    const unnamed = occurrences[i] === undefined ? [] : [{ type: line.type, name: line.name }];
    for (const name of [...outsideNames(line), ...unnamed]) names.set(textOf(name), name);
  }
  const asked = [...names.values()];
  const found =
    asked.length === 0
      ? []
      : ((await holdersInIndex(workspaceId, asked)) ?? (await entities.holdersOfEach(workspaceId, asked)));
  const holders = new Map(
    [...names].map(([text, name], i) => [text, idsIn(found[i] ?? [], name, origin.import_id)]),
  );
  const wanted = lines.flatMap((line, i) => {
    const n = occurrences[i];
    const twin =
      n === undefined ? undefined : holders.get(textOf({ type: line.type, name: line.name }))?.[n - 1];
    const named = outsideNames(line).flatMap((name) => holders.get(textOf(name)) ?? []);
    return [newIdOf(line, i, origin), ...named, ...(twin === undefined ? [] : [twin])];
  });
  const stored = await entities.getMany(workspaceId, [...new Set(wanted)]);
  return { stored: new Map(stored.map((entity) => [entity.id, entity])), holders, occurrences };
}

/** The id that the line gets if it is a new record. */
export const newIdOf = (line: EntityLine, index: number, { import_id, offset }: LineOrigin): string =>
  line.id?.toLowerCase() ?? lineId(import_id, offset + index, outsideNames(line).length > 0);

function occurrencesOf(lines: EntityLine[]): (number | undefined)[] {
  const counts = new Map<string, number>();
  return lines.map((line) => {
    if (!isUnnamedLine(line)) return undefined;
    const text = textOf({ type: line.type, name: line.name });
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return line.occurrence ?? count;
  });
}

/** For an outside name all ids; for lines without one those that earlier imports made, the oldest first. */
function idsIn(holders: Holder[], name: RecordName, importId: string): string[] {
  if (!('name' in name)) return holders.map(({ id }) => id);
  const own = importOf(lineId(importId, 0));
  const others = holders.filter(({ id }) => importOf(id) !== own);
  // The parts of an import are written in no order, so its records have the age of the oldest of them.
  const begun = new Map<string, number>();
  for (const { id, created_at } of others)
    begun.set(importOf(id), Math.min(created_at, begun.get(importOf(id)) ?? created_at));
  const age = (id: string) => begun.get(importOf(id)) ?? 0;
  return others
    .map(({ id }) => id)
    .sort(
      (a, b) => age(a) - age(b) || compareText(importOf(a), importOf(b)) || compareText(lineOf(a), lineOf(b)),
    );
}
