// How far a listener has come, in a file: after a kill it goes on there, so that no end of a run is passed over.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Surroundings } from '../context.ts';
import { messageOf, misuse } from '../problem.ts';

/** A run that may bring an end, or that has brought one lately. */
export interface Known {
  created_at: number;
  /** Status and number of resumes when its log was last read to the end. */
  seen?: string;
  /** Ids of the events that were forwarded. */
  forwarded: string[];
}

export interface Place {
  /** When listening began, epoch ms: earlier ends are not forwarded. */
  since: number;
  /** Runs created before this are known, or are over. */
  listed_until: number;
  runs: Record<string, Known>;
}

/** A place that is kept. */
export interface KeptPlace {
  place: Place;
  file: string;
  save(): void;
  forget(): void;
}

/**
 * The place of this listener: one per service, key, receiver and run. `begin` makes it the first time. Below `$XDG_STATE_HOME/runs`, else
 * `~/.local/state/runs`; it holds no key. Throws Problem when it cannot be kept.
 */
export async function openPlace(
  env: Surroundings['env'],
  identity: readonly string[],
  begin: () => Promise<Place>,
): Promise<KeptPlace> {
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  const folder = join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'runs');
  const file = join(folder, `listen-${name}.json`);
  const place = read(file) ?? (await begin());
  const save = () => write(file, place);
  save();
  return { place, file, save, forget: () => rmSync(file, { force: true }) };
}

function read(file: string): Place | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw misuse(`${file} cannot be read, remove it to begin anew: ${messageOf(error)}`);
  }
}

function write(file: string, place: Place): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A kill leaves the old place or the new one, never half of one.
    writeFileSync(`${file}.new`, JSON.stringify(place), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw misuse(`${file} cannot be written: ${messageOf(error)}`);
  }
}
