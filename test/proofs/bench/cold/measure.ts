// What new environments take for questions over a workspace of one size.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '#platform/ids.ts';
import { fileNames, pathOf } from '#record-index/files.ts';
import { Stage } from '../../../../lib/stage.ts';
import { percentile } from '../figures.ts';
import type { Bucket, Tally } from './bucket.ts';
import { Answered, type Moment, type Order } from './order.ts';
import { limit, type QuestionName, questionNames } from './questions.ts';
import { saveRecords } from './snapshot.ts';

const COLD_TIMES = 3;
const WARM_TIMES = 7;
const BYTES_PER_MB = 1e6;

/** Lambda gives a function one processor for so much of its memory. */
const MB_PER_PROCESSOR = 1769;
/** The share of Records in a stage of default settings. */
export const processors = Stage.parse({ model: 'offline' }).index_memory_mb / MB_PER_PROCESSOR;

/**
 * A counted model of Lambda's share of processors: a question takes its wall time here, or the processor time of all its
 * threads divided by the share, whichever is longer. No quota limits the process itself.
 */
const modeled = ({ wall_ms, processor_ms }: Moment): number => Math.max(wall_ms, processor_ms / processors);

const median = (samples: number[]): number => Math.round(percentile(samples, 50));

export interface Bench {
  /** A folder for the disks of the environments. */
  home: string;
  bucket: Bucket;
  /** The path of the bundled program of an environment. */
  program: string;
}

interface Lived {
  answered: Answered;
  tally: Tally;
  index_bytes: number;
}

/** Starts a new environment, and ends it once it has done what is ordered. */
async function live({ home, bucket, program }: Bench, order: Order): Promise<Lived> {
  const disk = join(home, newId());
  mkdirSync(disk);
  try {
    const file = join(disk, 'order.json');
    writeFileSync(file, JSON.stringify(order));
    const tally = bucket.beginTally();
    const env = { ...process.env, RECORD_INDEX_DIR: disk };
    const { stdout } = await promisify(execFile)(process.execPath, [program, file], { env });
    const core = join(disk, `${order.workspace_id}.db`);
    const files = [core, ...fileNames.map((name) => pathOf(core, name))].filter((file) => existsSync(file));
    const index_bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    return { answered: Answered.parse(JSON.parse(stdout)), tally, index_bytes };
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
}

/** The first question of an environment, and where its wall time went. */
function coldFigures({ answered, tally }: Lived): Record<string, number> {
  const { asked_at, build_begins, index_current, questions, process_start_ms, peak_mb } = answered;
  const took = questions[0]?.took[0];
  if (!took) throw new Error('nothing was asked');
  const fetchedAt = Math.max(build_begins.wall_ms, tally.last_at - asked_at);
  return {
    ms: modeled(took),
    ...took,
    ...{ process_start_ms, peak_mb },
    /** The thread of the index starts, and opens an empty file. */
    thread_ms: build_begins.wall_ms,
    /** Until the last byte of the snapshot has come; all but the last parts are unpacked and written meanwhile. */
    fetch_ms: fetchedAt - build_begins.wall_ms,
    /** The last parts, and the opening; without a snapshot, the whole build. Below 0 if the question fetched more. */
    finish_ms: index_current.wall_ms - fetchedAt,
    read_ms: took.wall_ms - index_current.wall_ms,
  };
}

function medians(samples: Record<string, number>[]): Record<string, number> {
  const names = Object.keys(samples[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(samples.map((sample) => sample[name] ?? Number.NaN))]),
  );
}

/** What is wrong with the answers of an environment. */
function wrongAnswers({ questions }: Answered, selected: number): string[] {
  const right: Partial<Record<QuestionName, number>> = { where_sort: selected, vectors: limit };
  return questions
    .filter(({ name, found }) => (name in right ? found !== right[name] : found === 0))
    .map(({ name, found }) => `${name} found ${found}`);
}

/** All figures of a workspace of this size. */
export async function measureSize(bench: Bench, size: number, dimensions: number) {
  const workspace_id = newId();
  const begun = performance.now();
  const { head, selected } = await saveRecords(workspace_id, size, dimensions);
  const build_seconds = Math.round((performance.now() - begun) / 1000);
  const order = { workspace_id, size, dimensions, head };
  const breaches: string[] = [];
  const cold: Record<string, Record<string, number>> = {};
  for (const name of questionNames) {
    const samples: Record<string, number>[] = [];
    for (let time = 0; time < COLD_TIMES; time += 1) {
      const lived = await live(bench, { ...order, questions: [{ name, times: 1 }] });
      breaches.push(...wrongAnswers(lived.answered, selected));
      samples.push(coldFigures(lived));
    }
    cold[name] = medians(samples);
  }
  // The first of each kind may still open and load what the others find.
  const questions = questionNames.map((name) => ({ name, times: 1 + WARM_TIMES }));
  const { answered, tally, index_bytes } = await live(bench, { ...order, questions });
  breaches.push(...wrongAnswers(answered, selected));
  const warm = answered.questions.map(({ name, took: [, ...took], memory_mb, anonymous_mb }) => ({
    name,
    ms: median(took.map(modeled)),
    wall_ms: median(took.map(({ wall_ms }) => wall_ms)),
    processor_ms: median(took.map(({ processor_ms }) => processor_ms)),
    memory_mb: Math.round(memory_mb),
    anonymous_mb: Math.round(anonymous_mb),
  }));
  return {
    ...{ size, dimensions, build_seconds },
    index_mb: Math.round(index_bytes / BYTES_PER_MB),
    snapshot_mb: Math.round(tally.bytes / BYTES_PER_MB),
    snapshot_parts: tally.requests,
    ...{ cold, warm, breaches: breaches.map((breach) => `${size} records: ${breach}`) },
  };
}
