// The checker of histories: a program in Go with Porcupine, built by the machine's own Go.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { World } from '../world.ts';
import type { Operation } from './recorder.ts';
import { stories } from './stories.ts';

const source = fileURLToPath(new URL('checker', import.meta.url));

/** Whether this machine has Go, and Porcupine in the cache of Go or from the module proxy. */
export const hasChecker = () => spawnSync('go', ['mod', 'download'], { cwd: source }).status === 0;

const VERDICT_BYTES = 64 * 1_048_576;

export interface Verdict {
  histories: number;
  operations: number;
  /** Operations by the runs that they concern: a list concerns every run. */
  judged: number;
  partitions: number;
  breaches: string[];
}

/** Builds the checker into a folder. */
export function buildChecker(folder: string): string {
  const program = join(folder, 'checker');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  return program;
}

/** The file of the i-th history that is judged; a breach begins with its path. */
const nameOf = (i: number) => `${String(i).padStart(4, '0')}.jsonl`;

/** Judges the histories, which it writes to the folder, one file each; a bad one also as a picture. */
export function judge(program: string, folder: string, histories: readonly Operation[][]): Verdict {
  mkdirSync(folder, { recursive: true });
  const files = histories.map((operations, i) => {
    const file = join(folder, nameOf(i));
    writeFileSync(file, operations.map((one) => `${JSON.stringify(one)}\n`).join(''));
    return file;
  });
  // One processor: others use the machine, too.
  const env = { ...process.env, GOMAXPROCS: '1' };
  const { stdout, stderr, status } = spawnSync(program, files, {
    encoding: 'utf8',
    env,
    maxBuffer: VERDICT_BYTES,
  });
  if (status !== 0 && status !== 1) throw new Error(`the checker: ${stderr}`);
  return JSON.parse(stdout);
}

/**
 * What clients saw is the history of one service that does one thing after the other. Where this machine has no checker
 * there is no breach. The histories of a breach stay in a folder, with a picture of each.
 */
export async function linearizable({
  histories,
  figures,
}: Pick<World, 'histories' | 'figures'>): Promise<string[]> {
  if (!hasChecker()) return [];
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  const program = buildChecker(folder);
  const seen = histories.map(({ operations }) => operations);
  const { judged, partitions, breaches } = judge(program, join(folder, 'seen'), seen);
  const misjudged = misjudgedBy(program, join(folder, 'stories'));
  Object.assign(figures, { judged, partitions });
  const all = [...misjudged, ...breaches];
  if (all.length === 0) rmSync(folder, { recursive: true });
  return all;
}

/** Whether the checker knows what is possible from what is not. */
function misjudgedBy(program: string, folder: string): string[] {
  const verdict = judge(
    program,
    folder,
    stories.map(({ operations }) => operations),
  );
  return stories
    .filter(({ is_possible }, i) => verdict.breaches.some((one) => one.includes(nameOf(i))) === is_possible)
    .map(
      ({ name, is_possible }) => `the checker takes for ${is_possible ? 'impossible' : 'possible'}: ${name}`,
    );
}
