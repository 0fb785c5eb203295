// Rounds of random operations on new tables; a difference is reported with a minimal history.
import { random } from '../../../support/random.ts';
import type { Asked } from './asked.ts';
import { askBoth, type Difference, type Judged } from './compare.ts';
import { heavyOperation } from './heavy.ts';
import { rightOperation, type Scene } from './operations.ts';
import { spoiled } from './spoil.ts';
import { createInput, randomTable, type Table } from './tables.ts';

/** A difference, and how to come to it. */
export interface Finding {
  seed: number;
  tables: Table[];
  /** What leads to the last of them, which differs. */
  history: Asked[];
  difference: Difference;
}

/** How much was asked, and what of it was refused. */
export interface Tally {
  operations: number;
  refused: number;
  /** How many differences were of each kind. */
  kinds: Record<string, number>;
}

const ROUND_OPERATIONS = 250;
const TABLES = 3;
const SHRINK_RUNS = 40;
/** What a message says of the one request. */
const SPECIFIC = /"[^"]*"|\{[^}]*\}|\[[^\]]*\]|[#:][a-z]\w*|\d+|(?<=Table: )\S+/gi;

/** The subject of a difference: one of each kind is reported. */
export function kindOf({ found, reference, candidate }: Difference): string {
  const [expected, actual] = [reference, candidate].map(({ refusal }) =>
    refusal ? `${refusal.code} ${refusal.message.replaceAll(SPECIFIC, '…')}` : 'ok',
  );
  return `${found.operation}: ${expected} / ${actual}`;
}

/** Runs this many operations; reports the first difference of each kind. */
export async function judgeRounds(
  judged: Judged,
  { seed, operations }: { seed: number; operations: number },
  found: (finding: Finding) => void,
): Promise<Tally> {
  const tally: Tally = { operations: 0, refused: 0, kinds: {} };
  for (let round = 0; tally.operations < operations; round += 1) {
    const length = Math.min(ROUND_OPERATIONS, operations - tally.operations);
    for (const finding of await judgeRound(judged, (seed + round) >>> 0, length, tally))
      found(await shrunk(judged, finding));
  }
  return tally;
}

/** One round on new tables: what it finds that is of no kind known yet. */
async function judgeRound(judged: Judged, seed: number, length: number, tally: Tally): Promise<Finding[]> {
  const chance = random(seed);
  const tables = Array.from({ length: TABLES }, (_, number) => randomTable(chance, `Table${number}`));
  const scene: Scene = { random: chance, tables, pages: [], tokens: [] };
  const run = `-${seed}`;
  const history: Asked[] = [];
  const findings: Finding[] = [];
  await createAll(judged, tables);
  for (let asked = 0; asked < length; asked += 1) {
    const next = nextOperation(scene);
    const { difference, answer, areAlike } = await askBoth(judged, next, tables, run);
    history.push(next);
    tally.operations += 1;
    if (answer.refusal) tally.refused += 1;
    if (difference) {
      const kind = kindOf(difference);
      if (!tally.kinds[kind]) findings.push({ seed, tables, history: [...history], difference });
      tally.kinds[kind] = (tally.kinds[kind] ?? 0) + 1;
    }
    keepPage(scene, next, answer.body);
    if (!areAlike) forgetToken(scene, next);
  }
  await deleteAll(judged, tables);
  return findings;
}

function nextOperation(scene: Scene): Asked {
  const { random: chance, tables } = scene;
  if (chance.oneIn(400)) return heavyOperation(chance, chance.pick(tables));
  const right = structuredClone(rightOperation(scene));
  return chance.oneIn(4) ? spoiled(right, chance, tables) : right;
}

/** A later query continues from the end of a page. */
function keepPage(
  { pages, random: chance }: Scene,
  { operation, input, walk }: Asked,
  output: Record<string, unknown>,
) {
  const last = output.LastEvaluatedKey;
  if (operation !== 'Query' || walk || typeof last !== 'object' || input.IndexName !== undefined) return;
  const next = {
    operation,
    input: { ...structuredClone(input), ExclusiveStartKey: structuredClone(last) },
  } as Asked;
  if (pages.length > 0) pages[chance.below(pages.length)] = next;
}

/** A token that only one engine has seen no longer means the same to both. */
function forgetToken({ tokens }: Scene, { input }: Asked): void {
  const at = tokens.findIndex((one) => one.input.ClientRequestToken === input.ClientRequestToken);
  if (input.ClientRequestToken !== undefined && at >= 0) tokens.splice(at, 1);
}

async function createAll({ reference, candidate }: Judged, tables: readonly Table[]): Promise<void> {
  for (const engine of [reference, candidate])
    for (const table of tables) {
      const { refusal } = await engine.ask('CreateTable', createInput(table));
      if (refusal) throw new Error(`${engine.name} makes no table: ${refusal.message}`);
    }
}

async function deleteAll({ reference, candidate }: Judged, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name);
  await Promise.all([reference.forget(names), candidate.forget(names)]);
}

/** The finding with a minimal history, as far as this many runs show. */
async function shrunk(judged: Judged, finding: Finding): Promise<Finding> {
  const quiet = { ...judged, noted: undefined };
  const last = finding.history.slice(-1);
  let before = finding.history.slice(0, -1);
  let { difference } = finding;
  let runs = 0;
  async function differs(history: readonly Asked[]): Promise<boolean> {
    runs += 1;
    await deleteAll(quiet, finding.tables);
    await createAll(quiet, finding.tables);
    const run = `-${finding.seed}-${runs}`;
    for (const asked of history) await askBoth(quiet, asked, finding.tables, run);
    const again = await Promise.all(last.map((asked) => askBoth(quiet, asked, finding.tables, run)));
    const [found] = again.flatMap((one) => one.difference ?? []);
    const same = found !== undefined && kindOf(found) === kindOf(finding.difference);
    if (same) difference = found;
    return same;
  }
  if (!(await differs(before))) {
    await deleteAll(quiet, finding.tables);
    return finding;
  }
  for (let size = before.length; size >= 1; size = Math.floor(size / 2))
    for (let at = before.length - size; at > -size && runs < SHRINK_RUNS; at -= size) {
      const less = [...before.slice(0, Math.max(0, at)), ...before.slice(at + size)];
      if (less.length < before.length && (await differs(less))) before = less;
    }
  await deleteAll(quiet, finding.tables);
  return { ...finding, history: [...before, ...last], difference };
}
