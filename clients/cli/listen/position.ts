// A listener's position, in a file: after a kill it continues there and misses no end of a run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf, misuse } from '../problem.ts';
import type { Surroundings } from '../surroundings.ts';

/** A run that may end, or that ended recently. */
export interface Known {
  created_at: number;
  /** Status and number of resumes when its log was last read completely. */
  seen?: string;
  /** Ids of the forwarded events. */
  forwarded: string[];
}

export interface Position {
  /** When listening began, epoch ms: earlier ends are not forwarded. */
  since: number;
  /** Runs created before this are known or over. */
  listed_until: number;
  runs: Record<string, Known>;
}

/** A stored position. */
export interface StoredPosition {
  position: Position;
  save(): void;
  forget(): void;
}

/**
 * The position of this listener: one per service, key, receiver and run; `begin` creates it. Stored in
 * `$XDG_STATE_HOME/runs` or `~/.local/state/runs`, without the key. Throws Problem when it cannot be stored.
 */
export async function openPosition(
  env: Surroundings['env'],
  identity: readonly string[],
  begin: () => Promise<Position>,
): Promise<StoredPosition> {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  const folder = join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'runs');
  const file = join(folder, `listen-${name}.json`);
  const position = read(file) ?? (await begin());
  const save = () => write(file, position);
  save();
  return { position, save, forget: () => rmSync(file, { force: true }) };
}

function read(file: string): Position | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw misuse(`${file} cannot be read; remove it to start over: ${messageOf(error)}`);
  }
}

function write(file: string, position: Position): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Atomic: a kill leaves the old position or the new one. `wx` refuses a planted link.
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, JSON.stringify(position), { mode: 0o600, flag: 'wx' });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw misuse(`${file} cannot be written: ${messageOf(error)}`);
  }
}
