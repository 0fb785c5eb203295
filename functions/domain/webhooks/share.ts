// The share of a workspace in the attempts that are under way at once (rules.md: webhooks 10). An ordinary first
// attempt costs nothing for it; one that may take long needs a slot in the table.
import { limits } from '#contract/limits.ts';
import type { DeliveryMessage } from '#orchestration/delivery-queue.ts';
import { describe, log } from '#platform/log.ts';
import { pause } from '#platform/pause.ts';
import * as slots from '#store/runs/delivery-slots.ts';
import { markSlowReceivers, receiversAreSlow } from '#store/workspaces/workspaces.ts';
import { SLOW_MS } from './next-attempt.ts';

/** A share that an attempt has until it gives it back. */
export interface Share {
  /** When the attempt may be made, epoch ms. */
  at: number;
  release(): Promise<void>;
}

/** For so long after a slow attempt the first attempts of a workspace need slots. */
const REMEMBERED_MS = 60_000;
/** How long an attempt waits for others of its process before it goes back to the queue. */
const PATIENCE_MS = 250;
const LOOK_MS = 25;
const SPACING_MS = 1000 / limits.redeliveries_per_second;

/** The attempts under way in this process: on AWS that is one, on one machine all of them. */
const underWay = new Map<string, number>();
const count = (workspaceId: string) => underWay.get(workspaceId) ?? 0;

function changeCount(workspaceId: string, change: 1 | -1): void {
  const now = count(workspaceId) + change;
  if (now > 0) underWay.set(workspaceId, now);
  else underWay.delete(workspaceId);
}

/**
 * The share of an attempt that waited `queuedMs` in the queue; undefined if its workspace has all that it may have.
 * `leaseMs`: after that, its process is dead.
 */
export async function takeShare(
  message: DeliveryMessage,
  queuedMs: number,
  leaseMs: number,
): Promise<Share | undefined> {
  const { workspace_id } = message;
  for (let waited = 0; count(workspace_id) >= limits.delivery_slots_per_workspace; waited += LOOK_MS) {
    if (waited >= PATIENCE_MS) return undefined;
    await pause(LOOK_MS);
  }
  changeCount(workspace_id, 1);
  const share = await countedShare(message, queuedMs, leaseMs).catch((error: unknown) => {
    changeCount(workspace_id, -1);
    throw error;
  });
  if (!share) changeCount(workspace_id, -1);
  return share;
}

async function countedShare(
  message: DeliveryMessage,
  queuedMs: number,
  leaseMs: number,
): Promise<Share | undefined> {
  const { workspace_id, event_id, attempt, redelivered } = message;
  const slot = { workspace_id, attempt: `${event_id} ${attempt}` };
  if (!(await needsSlot(message, queuedMs))) return freely(slot, leaseMs);
  const at = await slots.take(slot, {
    until: Date.now() + leaseMs,
    max: limits.delivery_slots_per_workspace,
    spacingMs: redelivered ? SPACING_MS : 0,
  });
  return at === undefined ? undefined : { at, release: () => giveBack(slot) };
}

async function needsSlot({ workspace_id, redelivered, slow }: DeliveryMessage, queuedMs: number) {
  if (redelivered || slow) return true;
  // A queue that does not keep up may be full of attempts of this workspace.
  return queuedMs >= SLOW_MS && receiversAreSlow(workspace_id);
}

/** A share without a slot, until it turns out that the attempt is slow. */
function freely(slot: slots.DeliverySlot, leaseMs: number): Share {
  let taken: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    const wish = { until: Date.now() + leaseMs, spacingMs: 0 };
    const { workspace_id } = slot;
    taken = Promise.all([
      slots.take(slot, wish),
      markSlowReceivers(workspace_id, Date.now() + REMEMBERED_MS),
    ]).catch((error: unknown) =>
      log.warn('a slow attempt is not counted', { workspace_id, error: describe(error) }),
    );
  }, SLOW_MS);
  return {
    at: Date.now(),
    async release() {
      clearTimeout(timer);
      if (!taken) return changeCount(slot.workspace_id, -1);
      await taken;
      await giveBack(slot);
    },
  };
}

/** The attempt is recorded by then: a slot that is not given back is free when its time is over. */
async function giveBack(slot: slots.DeliverySlot): Promise<void> {
  changeCount(slot.workspace_id, -1);
  await slots
    .release(slot)
    .catch((error: unknown) => log.warn('a slot is not given back', { error: describe(error) }));
}
