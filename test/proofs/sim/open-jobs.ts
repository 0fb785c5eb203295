// The open jobs of runs, by what is written in the table: at each commit a run waits for a job exactly while it has an
// open one (rules.md: jobs 2).
import { keys } from '#store/table/table-keys.ts';

interface Write {
  kind: string;
  key: { pk: string; sk: string };
  one: object;
}

export interface OpenJobs {
  /** Takes in what is written at once; the partitions of the runs whose jobs are others now. */
  changed(writes: Write[]): string[];
  /** How many jobs of a run are open. */
  count(run: string): number;
}

/** Follows the jobs of all runs. */
export function openJobs(): OpenJobs {
  const open = new Map<string, Set<string>>();
  function change({ kind, key, one }: Write): boolean {
    if (!key.sk.startsWith(keys.jobs)) return false;
    const { Item, ExpressionAttributeValues } = Object(one);
    const status: unknown = kind === 'Put' ? Item.status : ExpressionAttributeValues?.[':status'];
    // Heartbeats do not change the status.
    if (kind !== 'Delete' && status === undefined) return false;
    const known = open.get(key.pk) ?? new Set<string>();
    if (kind !== 'Delete' && status === 'open') known.add(key.sk);
    else known.delete(key.sk);
    open.set(key.pk, known);
    return true;
  }
  return {
    changed: (writes) => writes.filter(change).map(({ key }) => key.pk),
    count: (run) => open.get(run)?.size ?? 0,
  };
}
