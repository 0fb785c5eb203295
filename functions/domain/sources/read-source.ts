// Reads the pages of a live source for one step (rules.md: sources 3, sources 5).
import { limits } from '#contract/limits.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import { send } from '#outbound/request.ts';
import { cut } from '#platform/cut.ts';
import { log } from '#platform/log.ts';
import { ReadingStopped } from '#record-index/reading-limits.ts';
import type { PagedSource } from '#store/workspaces/sources.ts';
import { httpPages } from './http-pages.ts';
import { type LiveItem, liveItems } from './live-items.ts';
import { SourceFailure } from './source-failure.ts';
import type { OpenSource, Page, PageRequest, SourcePages } from './source-pages.ts';
import { secretsIn } from './source-secrets.ts';

export interface Reading {
  /** Fires when the run is canceled. */
  signal: AbortSignal;
  /** Awaited before each call; what it throws ends the reading. */
  beforeCall(): Promise<void>;
  /** How long the run may still work; then `beforeCall` throws. Undefined: without an end. */
  leftMs(): number | undefined;
  onRetry(retry: Retry): Promise<void>;
  /** Called after each call, for the trace of the run. */
  onCall(call: SourceCall): void;
}

/** A call of a source: when it began, how long it took, and how it failed. */
export interface SourceCall {
  page: number;
  /** Epoch ms. */
  at: number;
  ms: number;
  error?: string;
}

export interface LiveRead {
  items: LiveItem[];
  /** Whether the source has no more items than these. */
  ended: boolean;
}

/** A source of this name could not be read. */
export class SourceFailed extends Error {
  readonly failure: SourceFailure;
  readonly source: string;
  constructor(source: string, failure: SourceFailure) {
    super(failure.message);
    this.name = 'SourceFailed';
    this.source = source;
    this.failure = failure;
  }
}

/**
 * Reads a source until it has given `limit` items. Throws SourceFailed, ReadingStopped, and what `beforeCall` and
 * `onRetry` throw.
 */
export async function readSource(
  record: PagedSource,
  request: PageRequest,
  reading: Reading,
): Promise<LiveRead> {
  const source = { ...record, ...(await secretsIn(record)) };
  const secrets = secretsOf(source);
  const pages = await pagesOf(source);
  // It starts the run, and with it the time that is left.
  await reading.beforeCall();
  const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(timeFor(reading))]);
  const found: SourceItem[] = [];
  let cursor: string | undefined;
  let hasMore = true;

  /** Throws why the reading must end: a cancel, the deadline of the run, or the time that a step has. */
  async function checkEnd(): Promise<void> {
    if (!signal.aborted) return;
    if (reading.signal.aborted) throw new ReadingStopped();
    await reading.beforeCall();
    throw new SourceFailure('timeout', 'its pages took longer together than a step may read');
  }

  async function callOnce(number: number): Promise<Page> {
    await checkEnd();
    await reading.beforeCall();
    const at = Date.now();
    const startedAt = performance.now();
    const call = { timeoutMs: source.timeout_ms, signal };
    const result = await pages
      .page({ ...request, cursor }, call)
      .catch((error: unknown) => (error instanceof SourceFailure ? error.fitFor(secrets) : error));
    const duration_ms = Math.round(performance.now() - startedAt);
    log.info('source call', { source: source.name, page: number, status: statusOf(result), duration_ms });
    reading.onCall({
      ...{ page: number, at, ms: duration_ms },
      ...(result instanceof Error && { error: cut(result.message, CALL_ERROR_MAX_CHARACTERS) }),
    });
    await checkEnd();
    if (result instanceof Error) throw result;
    return result as Page;
  }

  try {
    for (
      let number = 1;
      number <= limits.source_pages_max && hasMore && found.length < request.limit;
      number += 1
    ) {
      const page = await withRetry(() => callOnce(number), { signal, onRetry: reading.onRetry });
      found.push(...page.items);
      hasMore = page.has_more;
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
  } catch (error) {
    throw error instanceof SourceFailure ? new SourceFailed(source.name, error) : error;
  } finally {
    await pages.close({ timeoutMs: source.timeout_ms, signal });
  }
  const items = liveItems(source, found.slice(0, limits.step_items_max));
  return { items, ended: !hasMore && found.length <= limits.step_items_max };
}

const CALL_ERROR_MAX_CHARACTERS = 100;

/** A timer may fire a little before its time; the deadline must have passed when it does. */
const TIMER_MS = 2;

/** How long a reading may take: until the deadline of its run, and no longer than a step may. */
function timeFor(reading: Reading): number {
  const left = reading.leftMs() ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(left + TIMER_MS, limits.source_reading_max_ms));
}

/** The status of a call for the log: 200, another status, or why there is none. */
function statusOf(result: unknown): number | string {
  if (!(result instanceof Error)) return 200;
  return result instanceof SourceFailure ? (result.status_code ?? result.reason) : 'unknown';
}

/** Shorter words, such as the scheme before a token, are in any text. */
const SECRET_MIN_CHARACTERS = 8;

/** What no error may repeat: a tool may tell which headers it got. */
function secretsOf({ secret, headers }: OpenSource): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(/\s+/));
  return [secret, ...words.filter((word) => word.length >= SECRET_MIN_CHARACTERS)];
}

async function pagesOf(source: OpenSource): Promise<SourcePages> {
  if (source.kind === 'http') return httpPages(source, send);
  const { mcpPages } = await import('./mcp-pages.ts');
  return mcpPages(source, send);
}
