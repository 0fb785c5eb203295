// How many read a link at once (rules.md: links 5).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { describe, log } from '#platform/log.ts';
import * as linkReaders from '#store/workspaces/link-readers.ts';
import type { OpenLink } from './signed-links.ts';

/** Longer than the function that reads an artifact may run. */
const SEAT_MS = 60_000;

/**
 * Counts a reader of the link, and returns what ends that: it never rejects, because the reader may have all of the
 * artifact, and the seat expires. Throws rate_limit_exceeded.
 */
export async function countReader({
  workspace_id,
  name,
}: Pick<OpenLink, 'workspace_id' | 'name'>): Promise<() => Promise<void>> {
  const most = limits.artifact_link_readers_max;
  const seat = await linkReaders.take(workspace_id, name, most, Date.now() + SEAT_MS);
  if (!seat) throw fail('rate_limit_exceeded', { message: `The link has ${most} readers at this moment.` });
  return () =>
    linkReaders
      .leave(seat)
      .catch((error: unknown) => log.warn('end of a reader not counted', { error: describe(error) }));
}
