// The port to a live source: one call for one page. Each kind of source has its own file.
import type { FieldSort, SortWord, Where } from '#contract/conditions.ts';
import { limits } from '#contract/limits.ts';
import { type SourceItem, SourcePage } from '#contract/live-sources.ts';
import { whyNotStorable } from '#domain/records/storable.ts';
import { parseJson } from '#platform/json.ts';
import { nestingOf } from '#platform/json-nesting.ts';
import { mapInTurns } from '#platform/turns.ts';
import type { SourceRecord } from '#store/workspaces/sources.ts';
import { SourceFailure } from './source-failure.ts';

/** What is asked of a source; for the kind `http` it is the body of the request. */
export interface PageRequest {
  run_id: string;
  step_index: number;
  query: string;
  where?: Where | undefined;
  sort?: SortWord | FieldSort[] | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A source with its secrets open. */
export interface OpenSource extends Omit<SourceRecord, 'sealed_secret' | 'sealed_headers'> {
  secret: string;
  headers: Readonly<Record<string, string>>;
}

/** The limits of one call. */
export interface CallLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

/** The pages of a source. Each call throws SourceFailure. */
export interface SourcePages {
  page(request: PageRequest, call: CallLimits): Promise<Page>;
  /** Tells the source that no page follows. Never throws. */
  close(call: CallLimits): Promise<void>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a reply. Throws SourceFailure `shape` if it is not UTF-8. */
export function textOf(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new SourceFailure('shape');
  }
}

/** The JSON of a reply. Throws SourceFailure `shape`. */
export async function jsonOf(text: string): Promise<unknown> {
  const depth = nestingOf(text);
  if (depth === undefined || depth > limits.json_max_depth) throw new SourceFailure('shape');
  try {
    return await parseJson(text);
  } catch {
    throw new SourceFailure('shape');
  }
}

/** A page: its items, whether others exist, and how to ask for the next one if the source can be asked. */
export interface Page {
  items: SourceItem[];
  has_more: boolean;
  cursor?: string | undefined;
}

/** The page in a reply. Throws SourceFailure `shape` also for an item that a record could not have. */
export async function pageOf(value: unknown): Promise<Page> {
  const page = SourcePage.safeParse(value);
  if (!page.success) throw new SourceFailure('shape');
  const { items, next_cursor = '' } = page.data;
  const faults = await mapInTurns(
    items,
    ({ fields, ...rest }) => whyNotStorable(fields) ?? whyNotStorable(rest),
  );
  const isSound = next_cursor.isWellFormed() && faults.every((fault) => fault === undefined);
  if (!isSound) throw new SourceFailure('shape');
  return { items, has_more: next_cursor !== '', ...(next_cursor !== '' && { cursor: next_cursor }) };
}
