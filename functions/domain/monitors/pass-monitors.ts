// The monitors of a rotated key pass to its successor (rules.md: monitors 15).
import { describe, log } from '#platform/log.ts';
import type { MonitorRecord } from '#store/monitors/monitors.ts';
import * as monitors from '#store/monitors/monitors.ts';

/**
 * Passes the monitors of a key to the one that has replaced it. Never throws: no transaction takes 100 monitors, and
 * after a failure or a crash each passes at its next fire, which follows the successor of its key.
 */
export async function passMonitors(
  workspaceId: string,
  { key_id, successor_of }: { key_id: string; successor_of: string | null },
): Promise<void> {
  try {
    const all = await monitors.list(workspaceId);
    await Promise.all(all.filter((one) => one.key_id === successor_of).map((one) => pass(one, key_id)));
  } catch (error) {
    log.warn('monitors not passed to a successor, their next fires will', {
      ...{ workspace_id: workspaceId, key_id, error: describe(error) },
    });
  }
}

async function pass({ workspace_id, id, key_id: old }: MonitorRecord, key_id: string): Promise<void> {
  await monitors.retryIfStale(async () => {
    const monitor = await monitors.get(workspace_id, id);
    // A request has sent its run in between, and its key is now the key of the monitor.
    if (monitor?.key_id === old) await monitors.commit(monitor, { key_id });
  });
}
