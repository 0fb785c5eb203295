// The ceiling of open streams per key (rules.md: stream 8).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { describe, log } from '#platform/log.ts';
import * as openStreams from '#store/workspaces/open-streams.ts';

/** Who reads a stream. */
export interface StreamReader {
  workspace_id: string;
  key_id: string;
}

/**
 * The stream, counted until it ends. Its count also ends after `maxMs`, so a process that dies leaves nothing behind.
 * Throws rate_limit_exceeded.
 */
export async function limitStream(
  { workspace_id, key_id }: StreamReader,
  stream: AsyncIterable<string>,
  maxMs: number,
): Promise<AsyncIterable<string>> {
  const counted = await openStreams.add(workspace_id, key_id, Date.now() + maxMs);
  if (counted.open <= limits.streams_per_key_max) return untilItsEnd(stream, counted);
  await end(counted);
  const message = `The key has ${limits.streams_per_key_max} event streams open. Let some end, or read the log by long poll.`;
  throw fail('rate_limit_exceeded', { message });
}

async function* untilItsEnd(stream: AsyncIterable<string>, counted: openStreams.OpenStream) {
  try {
    yield* stream;
  } finally {
    await end(counted);
  }
}

/** The reader has the whole stream, so a failure must not break it: the count expires. */
function end(counted: openStreams.OpenStream): Promise<void> {
  return openStreams
    .remove(counted)
    .catch((error: unknown) => log.warn('end of a stream not counted', { error: describe(error) }));
}
