// Reads the pages of a live source for one step (rules.md: sources 3, sources 5).
import { limits } from '#contract/limits.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import { send } from '#outbound/request.ts';
import { log } from '#platform/log.ts';
import { unseal } from '#platform/sealed.ts';
import { ReadingStopped } from '#record-index/reading.ts';
import type { SourceRecord } from '#store/workspaces/sources.ts';
import { ownerOf } from '#store/workspaces/sources.ts';
import { httpPages } from './http-pages.ts';
import { type LiveItem, liveItems } from './live-items.ts';
import { SourceFailure } from './source-failure.ts';
import type { OpenSource, Page, PageRequest, SourcePages } from './source-pages.ts';

export interface Reading {
  /** Fires when the run is canceled. */
  signal: AbortSignal;
  /** Awaited before each call; what it throws ends the reading. */
  beforeCall(): Promise<void>;
  onRetry(retry: Retry): Promise<void>;
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
  record: SourceRecord,
  request: PageRequest,
  reading: Reading,
): Promise<LiveRead> {
  const source = await opened(record);
  const pages = await pagesOf(source);
  const endsAt = Date.now() + limits.source_reading_max_ms;
  const found: SourceItem[] = [];
  let cursor: string | undefined;
  let hasMore = true;

  async function callOnce(number: number): Promise<Page> {
    await reading.beforeCall();
    if (reading.signal.aborted) throw new ReadingStopped();
    const left = endsAt - Date.now();
    if (left <= 0) throw new SourceFailure('timeout');
    const startedAt = performance.now();
    const call = { timeoutMs: Math.min(source.timeout_ms, left), signal: reading.signal };
    const result = await pages.page({ ...request, cursor }, call).catch((error: unknown) => error);
    const duration_ms = Math.round(performance.now() - startedAt);
    log.info('source call', { source: source.name, page: number, status: statusOf(result), duration_ms });
    if (reading.signal.aborted) throw new ReadingStopped();
    if (result instanceof Error) throw result;
    return result as Page;
  }

  try {
    for (
      let number = 1;
      number <= limits.source_pages_max && hasMore && found.length < request.limit;
      number += 1
    ) {
      const page = await withRetry(() => callOnce(number), reading);
      found.push(...page.items);
      hasMore = page.has_more;
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
  } catch (error) {
    throw error instanceof SourceFailure ? new SourceFailed(source.name, error) : error;
  } finally {
    await pages.close({ timeoutMs: source.timeout_ms, signal: reading.signal });
  }
  const items = liveItems(source, found.slice(0, limits.step_items_max));
  return { items, ended: !hasMore && found.length <= limits.step_items_max };
}

/** The status of a call for the log: 200, another status, or why there is none. */
function statusOf(result: unknown): number | string {
  if (!(result instanceof Error)) return 200;
  return result instanceof SourceFailure ? (result.status_code ?? result.reason) : 'unknown';
}

async function opened({ sealed_secret, sealed_headers, ...source }: SourceRecord): Promise<OpenSource> {
  const owner = ownerOf(source);
  const [secret, headers] = await Promise.all([unseal(sealed_secret, owner), unseal(sealed_headers, owner)]);
  return { ...source, secret, headers: JSON.parse(headers) };
}

async function pagesOf(source: OpenSource): Promise<SourcePages> {
  if (source.kind === 'http') return httpPages(source, send);
  const { mcpPages } = await import('./mcp-pages.ts');
  return mcpPages(source, send);
}
