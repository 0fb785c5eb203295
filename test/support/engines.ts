// The engines that run on this machine, for tests that kill them.
import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of the engines that have their data in the folder; what starts one is not among them. */
export function enginesOn(dataDir: string): number[] {
  const isEngine = (pid: string) => {
    try {
      const named = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('dynoxide');
      return named && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isEngine(name))
    .map(Number);
}
