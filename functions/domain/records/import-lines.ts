// Saves lines as records, for administrators and for keys (rules.md: admin 12, entities 7).
import type { Entity, EntityLine } from '#contract/entities.ts';
import { claimNoticeSoon, watching } from '#domain/change-notices/notify-monitors.ts';
import { jitter, pause } from '#platform/pause.ts';
import * as marks from '#store/monitors/change-notices.ts';
import * as entities from '#store/records/entity-items.ts';
import { claimWrite } from '#store/records/name-claims.ts';
import { indexRecords, type RecordVector } from '#store/records/vectors.ts';
import { type Actor, auditImport } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { embedRecords } from './embed.ts';
import { interruptedBy, readForImport } from './import-waits.ts';
import { applyLines, type LineFault, type LineOutcome } from './lines-to-records.ts';
import { hasContentOf } from './same-content.ts';
import {
  type Candidates,
  claimsOf,
  type LineOrigin,
  type NumberedLine,
  numberLines,
  outsideNames,
  readCandidates,
  textOf,
} from './which-record.ts';
import type { Unit, Written } from './write-records.ts';

/** A record that is written, with its vector if that could be made. */
export interface SavedRecord {
  entity: Entity;
  made: RecordVector | undefined;
}

export interface ImportOrder {
  workspace: Workspace;
  /** Each with its index among all lines. */
  lines: { index: number; line: EntityLine }[];
  origin: LineOrigin;
  /** Whether others may take the same names at the same time, so that each name is claimed. */
  claims: boolean;
  /** Whether lines change records that exist; else these are left as they are. */
  updates: boolean;
  /** Nothing is written, or nothing where a line is at fault. */
  writes: 'nothing' | 'all or nothing' | 'what it can';
  /** When (epoch ms) it no longer waits for the table. */
  until: number;
  /** How long it waits for vectors; without them, the sweep makes them. */
  embedded_within_ms: number;
  /** Absent: as of the demo, the audit has no entry. */
  by: Actor | undefined;
  /** The import of a file, which ends with its last part, marks monitors then (rules.md: monitors 8). */
  file_import_id: string | undefined;
  save(records: SavedRecord[], units: Unit[]): Promise<Written>;
}

/** What became of the lines, in their order. */
export interface ImportResult {
  outcomes: LineOutcome[];
  faults: LineFault[];
}

interface Decision extends ImportResult {
  candidates: Candidates;
  changed: Entity[];
}

/** Another writer makes at most a few tries necessary: what it has written is read by the next one. */
const TRIES_MAX = 20;
const FIRST_DELAY_MS = 5;

/**
 * Saves each line as a record. A record that already has the content of its line is not written. Everything is read and
 * decided before the first write; what other writers have changed until then is decided again. The same import again
 * completes one that was interrupted. Throws AdminError `import_interrupted`.
 */
export async function importLines(order: ImportOrder): Promise<ImportResult> {
  const results = new Map<number, LineOutcome>();
  const faults: LineFault[] = [];
  let pending = numberLines(order.lines);
  let first: Candidates | undefined;
  for (let tried = 1; ; tried += 1) {
    const decided = await decide(order, pending, first);
    first ??= decided.candidates;
    faults.push(...decided.faults);
    for (const outcome of decided.outcomes) keepOutcome(results, outcome);
    if (order.writes === 'nothing' || (order.writes === 'all or nothing' && faults.length > 0)) break;
    const refused = await writeDecided(order, decided, tried === 1);
    pending = decided.outcomes.filter(({ record }) => refused.has(record.id));
    if (pending.length === 0) break;
    if (tried === TRIES_MAX || Date.now() >= order.until)
      throw interruptedBy(results.size - pending.length, results.size, 'others write the same records');
    await pause(jitter(FIRST_DELAY_MS * tried));
  }
  return { outcomes: [...results.values()].sort((a, b) => a.index - b.index), faults };
}

/** A try whose answer was lost may have written what the next one finds unchanged. */
function keepOutcome(results: Map<number, LineOutcome>, outcome: LineOutcome): void {
  const before = results.get(outcome.index)?.record;
  const { id, updated_at } = outcome.record;
  if (before?.id !== id || before.updated_at !== updated_at) results.set(outcome.index, outcome);
}

async function decide(
  { workspace: { workspace_id }, origin, claims, updates, until }: ImportOrder,
  lines: NumberedLine[],
  first: Candidates | undefined,
): Promise<Decision> {
  const candidates = await readForImport(lines.length, until, () =>
    readCandidates(workspace_id, lines, { origin, claims, first }),
  );
  const { outcomes, faults } = applyLines(workspace_id, lines, origin, candidates, updates);
  const records = new Map(outcomes.map(({ record }) => [record.id, record]));
  const changed = [...records.values()].filter(
    (record) => !hasContentOf(candidates.stored.get(record.id), record),
  );
  return { candidates, outcomes, faults, changed };
}

/** Writes the changed records; returns the ids of those that others have changed in the meantime. */
async function writeDecided(order: ImportOrder, decided: Decision, isFirst: boolean): Promise<Set<string>> {
  const { workspace, by, file_import_id } = order;
  const { workspace_id } = workspace;
  const { changed, candidates } = decided;
  if (changed.length === 0) return new Set();
  const before = candidates.stored;
  const watchers = await watching(
    workspace,
    changed.map((after) => ({ before: before.get(after.id), after })),
  );
  const mark =
    file_import_id === undefined
      ? marks.newNotice(workspace_id)
      : marks.noticeOfImport(workspace_id, file_import_id);
  // Before the records: after a crash, the sweep marks for what may be written.
  if (watchers.length > 0) await marks.add(mark, watchers, Date.now());
  if (by && isFirst) await auditImport(workspace_id, by, changed.length, file_import_id);
  const vectors = await embedRecords(changed, order.embedded_within_ms);
  const saved = changed.map((entity, i) => ({ entity, made: vectors[i] }));
  // The vector index first: a record that is in the table but not in the index is not written again, so it would stay
  // missing.
  await indexRecords(
    workspace_id,
    saved.flatMap(({ entity, made }) => (made ? [{ entity, ...made }] : [])),
  );
  const claimed = order.claims ? claimsByRecord(decided) : new Map<string, string[]>();
  const units = saved.map(({ entity, made }) => ({
    id: entity.id,
    writes: [
      ...entities.entityWrites(entity, made, before.get(entity.id)),
      ...(claimed.get(entity.id) ?? []).map((name) =>
        claimWrite(workspace_id, name, entity.id, candidates.claims.get(name)),
      ),
    ],
    bytes: Buffer.byteLength(JSON.stringify(entity)),
  }));
  const { refused } = await order.save(saved, units);
  // An import of a file marks when the file ends (rules.md: monitors 8).
  if (watchers.length > 0 && file_import_id === undefined) await claimNoticeSoon(mark);
  return refused;
}

/** The names that each record takes: outside names that it had not, and its number among those of its type and name. */
function claimsByRecord({ outcomes, candidates: { stored } }: Decision): Map<string, string[]> {
  const claims = new Map<string, string[]>();
  for (const one of outcomes) {
    const before = stored.get(one.record.id);
    if (before && one.occurrence !== undefined) continue;
    const had = new Set(before ? outsideNames(before).map(textOf) : []);
    const taken = claimsOf(one).filter((name) => !had.has(name));
    claims.set(one.record.id, [...new Set([...(claims.get(one.record.id) ?? []), ...taken])]);
  }
  return claims;
}
