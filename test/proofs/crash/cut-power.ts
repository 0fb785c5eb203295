// Cuts the power: of the log only what the last finished fdatasync had brought to disk is left, and at random a torn
// part of what came after.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSharedOrder } from '../../../lib/local/dynamodb/engine/commit-order.ts';
import { type Engine, openEngine } from '../../../lib/local/dynamodb/engine/engine.ts';
import { random } from '../../support/random.ts';
import { type Acknowledged, breachesIn, makeTable, read, write } from './crash-table.ts';

export interface CutReport {
  cuts: number;
  acknowledged: number;
  breaches: string[];
}

/** Cuts the log before SQLite checkpoints it into the database. */
const PAGES_BEFORE_CHECKPOINT = 1000;
const PAGE_BYTES = 4096;
const WRITERS = ['a', 'b', 'c'];

/** The disk reports its writes as durable, and they are (`honest`) or are not. */
export type Disk = 'honest' | 'lying';

/** Cuts it this often, each time at a random moment of three concurrent writers. */
export async function cutPower(cuts: number, seed: number, disk: Disk = 'honest'): Promise<CutReport> {
  const chance = random(seed);
  const report: CutReport = { cuts: 0, acknowledged: 0, breaches: [] };
  while (report.cuts < cuts) await oneFile(report, chance, Math.min(25, cuts - report.cuts), disk);
  return report;
}

/** Some cuts of one file, which stays shorter than what SQLite would write back into the database by itself. */
async function oneFile(
  report: CutReport,
  chance: ReturnType<typeof random>,
  cuts: number,
  disk: Disk,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cut-'));
  const file = join(folder, 'tables.db');
  const log = `${file}-wal`;
  const order = createSharedOrder();
  const acknowledged: Acknowledged = new Map();
  let onDisk = Buffer.alloc(0);
  let isTableMade = false;
  const sync = async () => {
    const written = readFileSync(log);
    // The disk takes its time, in which others write on.
    for (let turns = chance.below(4); turns > 0; turns -= 1) await new Promise(setImmediate);
    const keeps = disk === 'honest' || !isTableMade;
    if (keeps && written.length > onDisk.length) onDisk = written;
  };
  const lost = (reason: string) => void report.breaches.push(reason);
  const first = openEngine(file, { order, holder: 1, lost, sync });
  makeTable(first);
  await first.settled();
  isTableMade = true;
  const database = readFileSync(file);
  const engines = [first, ...[2, 3].map((holder) => openEngine(file, { order, holder, lost, sync }))];

  async function writing(engine: Engine, writer: string, until: () => boolean): Promise<void> {
    let n = read(engine, writer, 'single');
    while (!until()) {
      n += 1;
      const kind = chance.oneIn(2) ? 'pair' : 'single';
      write(engine, writer, kind, n);
      const name = `${writer} ${kind}`;
      const other = `${chance.pick(WRITERS)} single`;
      const seen = read(engine, other.split(' ')[0] ?? '', 'single');
      await engine.settled();
      report.acknowledged += 1;
      acknowledged.set(name, n);
      acknowledged.set(other, Math.max(seen, acknowledged.get(other) ?? 0));
    }
  }

  try {
    for (let cut = 0; cut < cuts; cut += 1) {
      let isOver = false;
      const all = engines.map((engine, i) => writing(engine, WRITERS[i] ?? '', () => isOver));
      for (let turns = 1 + chance.below(12); turns > 0; turns -= 1) await new Promise(setImmediate);
      // The state at this moment, and what had been acknowledged by then.
      const [left, known] = [tornLog(onDisk, readFileSync(log), chance), new Map(acknowledged)];
      isOver = true;
      await Promise.all(all);
      report.breaches.push(...(await judge(folder, database, left, known)));
      report.cuts += 1;
      if (readFileSync(log).length > (PAGES_BEFORE_CHECKPOINT / 2) * PAGE_BYTES) break;
    }
  } finally {
    for (const engine of engines) await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What reached the disk in time, and pieces of what was on its way. */
function tornLog(onDisk: Buffer, written: Buffer, chance: ReturnType<typeof random>): Buffer {
  const left = Buffer.from(
    written.subarray(0, onDisk.length + chance.below(written.length - onDisk.length + 1)),
  );
  for (let at = onDisk.length; at < left.length; at += 512)
    if (chance.oneIn(3)) left.fill(0, at, Math.min(at + 512, left.length));
  onDisk.copy(left);
  return left;
}

async function judge(folder: string, database: Buffer, log: Buffer, known: Acknowledged): Promise<string[]> {
  const after = join(folder, 'after');
  mkdirSync(after);
  const file = join(after, 'tables.db');
  writeFileSync(file, database);
  writeFileSync(`${file}-wal`, log);
  const engine = openEngine(file);
  try {
    return breachesIn(engine, known);
  } finally {
    await engine.close();
    rmSync(after, { recursive: true, force: true });
  }
}
