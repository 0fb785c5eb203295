// Which record a line of an import is, whichever door it comes through (rules.md: admin 12).
import type { Entity, EntityLine, EntityRef } from '#contract/entities.ts';
import type { Holder, RecordName } from '#contract/record-queries.ts';
import { compareText } from '#contract/record-queries.ts';
import { holdersInIndex } from '#domain/records/index-home.ts';
import * as entities from '#store/records/entity-items.ts';
import { importOf, lineId, lineOf } from '#store/records/line-ids.ts';
import * as nameClaims from '#store/records/name-claims.ts';

type OutsideName = Exclude<EntityRef, { id: string }>;

/** Where lines come from: the import of a file, and how many lines of the file come before them. */
export interface LineOrigin {
  import_id: string;
  offset: number;
}

/** A line with its index among all lines of the import. */
export interface NumberedLine {
  index: number;
  line: EntityLine;
  /** Of a line without id and outside names: its number among those of its type and name. */
  occurrence: number | undefined;
}

/** What the lines may be: the stored records by id, and the ids that have each name. */
export interface Candidates {
  stored: Map<string, Entity>;
  /** By `textOf` of the name; for lines without one the oldest first. */
  holders: Map<string, string[]>;
  /** Of lines without id and outside names: the record that each is, by the index of the line. */
  twins: Map<number, string>;
  /** The records that last got the names that lines may take, by the texts of `claimsOf`. */
  claims: Map<string, string>;
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

/** The type and name of a line, which name the records that imports made of such lines. */
const ownName = ({ type, name }: EntityLine): RecordName => ({ type, name });

/** The names that a line may take, each as the text of its claim. */
export function claimsOf({ line, occurrence }: Pick<NumberedLine, 'line' | 'occurrence'>): string[] {
  if (occurrence !== undefined) return [`${textOf(ownName(line))}#${occurrence}`];
  return outsideNames(line).map(textOf);
}

interface Reading {
  origin: LineOrigin;
  /** Whether the import claims the names that it takes: then the table says who has them, not the index. */
  claims: boolean;
  /** What an earlier try of the import has read. */
  first?: Candidates | undefined;
}

/** Reads what the lines may be. */
export async function readCandidates(
  workspaceId: string,
  lines: NumberedLine[],
  { origin, claims: isClaimed, first }: Reading,
): Promise<Candidates> {
  // Before the holders: who takes a name after this read is known by the claim, who took it earlier is a holder.
  const claims = isClaimed
    ? await nameClaims.read(workspaceId, [...new Set(lines.flatMap(claimsOf))])
    : new Map<string, string>();
  const names = new Map<string, RecordName>();
  for (const { line, occurrence } of lines) {
    const unnamed = occurrence === undefined ? [] : [ownName(line)];
    for (const name of [...outsideNames(line), ...unnamed]) names.set(textOf(name), name);
  }
  const asked = [...names.values()];
  const inIndex = isClaimed || asked.length === 0 ? undefined : await holdersInIndex(workspaceId, asked);
  const found = inIndex ?? (await entities.holdersOfEach(workspaceId, asked));
  const holders = new Map(
    [...names].map(([text, name], i) => [text, idsIn(found[i] ?? [], name, origin.import_id)]),
  );
  const twins = new Map(
    lines.flatMap((one) => {
      const id = twinOf(one, { holders, claims }, first);
      return id === undefined ? [] : [[one.index, id] as const];
    }),
  );
  // At first no record has the id of a new line, unless it is that of a file that was interrupted.
  const isNew = isClaimed && !first;
  const wanted = lines.flatMap((one) => [
    ...(isNew && one.line.id === undefined ? [] : [newIdOf(one, origin)]),
    ...outsideNames(one.line).flatMap((name) => holders.get(textOf(name)) ?? []),
  ]);
  const stored = await entities.getMany(workspaceId, [...new Set([...wanted, ...twins.values()])]);
  return { stored: new Map(stored.map((entity) => [entity.id, entity])), holders, twins, claims };
}

/**
 * The record of a line without id and outside names: the n-th of its type and name by age. In a later try the records
 * keep their numbers, and one that another import has made since has the number that it claimed.
 */
function twinOf(
  one: NumberedLine,
  { holders, claims }: Pick<Candidates, 'holders' | 'claims'>,
  first: Candidates | undefined,
): string | undefined {
  if (one.occurrence === undefined) return undefined;
  const text = textOf(ownName(one.line));
  const present = holders.get(text) ?? [];
  const numbered = first?.holders.get(text) ?? present;
  const claimed = first && claimsOf(one).map((claim) => claims.get(claim))[0];
  if (claimed !== undefined && present.includes(claimed) && !numbered.includes(claimed)) return claimed;
  const id = numbered[one.occurrence - 1];
  return id !== undefined && present.includes(id) ? id : undefined;
}

/** The id that the line gets if it is a new record. */
export const newIdOf = ({ line, index }: NumberedLine, { import_id, offset }: LineOrigin): string =>
  line.id?.toLowerCase() ?? lineId(import_id, offset + index, outsideNames(line).length > 0);

/** The lines with their numbers. */
export function numberLines(lines: { index: number; line: EntityLine }[]): NumberedLine[] {
  const counts = new Map<string, number>();
  return lines.map(({ index, line }) => {
    if (!isUnnamedLine(line)) return { index, line, occurrence: undefined };
    const text = textOf(ownName(line));
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return { index, line, occurrence: line.occurrence ?? count };
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
