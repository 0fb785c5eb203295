// The profiles: addresses and keys of services, in a file that only its owner can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf, misuse } from '../problem.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Profile {
  base_url: string;
  api_key: string;
}

const OWNER_ONLY = 0o600;

/** `$XDG_CONFIG_HOME/runs/profiles.json`, else below `~/.config`. */
export function profilesFile(env: Surroundings['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'runs', 'profiles.json');
}

/** All profiles by name; none without a file. Throws Problem when the file is invalid. */
export function readProfiles(env: Surroundings['env']): Map<string, Profile> {
  const file = profilesFile(env);
  const text = readIfThere(file);
  if (text === undefined) return new Map();
  const found: unknown = parse(text, file);
  if (!isRecord(found)) throw misuse(`${file} is not a file of profiles; remove it and log in again`);
  return new Map(
    Object.entries(found).flatMap(([name, value]) => (isProfile(value) ? [[name, value] as const] : [])),
  );
}

/** Saves a profile. Throws Problem when the file cannot be written. */
export function saveProfile(env: Surroundings['env'], name: string, profile: Profile): void {
  write(env, readProfiles(env).set(name, profile));
}

/** Removes a profile; returns whether it existed. */
export function removeProfile(env: Surroundings['env'], name: string): boolean {
  const profiles = readProfiles(env);
  const known = profiles.delete(name);
  if (known && profiles.size > 0) write(env, profiles);
  else if (known) rmSync(profilesFile(env));
  return known;
}

function write(env: Surroundings['env'], profiles: Map<string, Profile>): void {
  const file = profilesFile(env);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify(Object.fromEntries(profiles), null, 2)}\n`;
    // Atomic: readers see the old file or the new one. `wx` refuses a planted link.
    const fresh = `${file}.${process.pid}`;
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { mode: OWNER_ONLY, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    throw misuse(`${file} cannot be written: ${messageOf(error)}`);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    // A copied file may be readable by others.
    chmodSync(file, OWNER_ONLY);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw misuse(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw misuse(`${file} is not JSON; remove it and log in again`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProfile(value: unknown): value is Profile {
  return isRecord(value) && typeof value.base_url === 'string' && typeof value.api_key === 'string';
}
