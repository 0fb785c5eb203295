// Files that other programs find or that hold secrets: replaced in one step, for their owner alone.
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file atomically. What is in the way of the new one, as a planted link, is removed, never followed. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.new`;
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(fresh, file);
}
