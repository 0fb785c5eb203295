// Where the record indexes are on the disk of a function, and room for them: the least recently used ones are removed.
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { env, optionalEnv } from '#platform/env.ts';
import { removeIndex } from '#record-index/record-index.ts';

/** The path of the core of a workspace's index. */
export function indexFile(workspaceId: string): string {
  return `${env('RECORD_INDEX_DIR')}/${workspaceId}.db`;
}

/** The other half of the disk is for the index about to be built, and for the copy from which it is restored. */
const SHARE_OF_OTHERS = 0.5;
const MB = 1024 * 1024;

/** The files of one index, including those of SQLite and of an interrupted restore. */
interface Files {
  index: string;
  paths: string[];
  deadCopies: string[];
  bytes: number;
  usedAt: number;
}

/** A copy that has not grown for this long is left over from a process that died. */
const COPY_DEAD_MS = 60_000;

/**
 * Removes what dead restores of `file` left behind, and other indexes while they take more than their share. Without
 * RECORD_INDEX_DISK_MB there is no limit.
 */
export async function makeRoom(file: string): Promise<void> {
  const diskMb = optionalEnv('RECORD_INDEX_DISK_MB');
  if (diskMb === undefined) return;
  const limit = Number(diskMb) * MB * SHARE_OF_OTHERS;
  const all = await indexesIn(dirname(file));
  const own = all.find(({ index }) => index === basename(file));
  for (const path of own?.deadCopies ?? []) await rm(path, { force: true });
  const others = all.filter(({ index }) => index !== basename(file));
  let bytes = others.reduce((sum, other) => sum + other.bytes, 0);
  for (const other of others.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= limit) return;
    await removeIndex(join(dirname(file), other.index));
    for (const path of other.paths) await rm(path, { force: true });
    bytes -= other.bytes;
  }
}

async function indexesIn(folder: string): Promise<Files[]> {
  const found = new Map<string, Files>();
  for (const name of await readdir(folder)) {
    const index = /^.*?\.db/.exec(name)?.[0];
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (index === undefined || file === undefined) continue;
    const files = found.get(index) ?? { index, paths: [], deadCopies: [], bytes: 0, usedAt: 0 };
    found.set(index, {
      index,
      paths: [...files.paths, path],
      deadCopies: isDeadCopy(path, file.mtimeMs) ? [...files.deadCopies, path] : files.deadCopies,
      bytes: files.bytes + file.size,
      usedAt: Math.max(files.usedAt, file.mtimeMs),
    });
  }
  return [...found.values()];
}

const isDeadCopy = (path: string, writtenAt: number) =>
  path.endsWith('.copy') && writtenAt < Date.now() - COPY_DEAD_MS;
