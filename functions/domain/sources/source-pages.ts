// The port to a live source: one call for one page. Each kind of source has its own file.
import type { FieldSort, SortWord, Where } from '#contract/conditions.ts';
import { memberOf } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import { type SourceItem, SourcePage } from '#contract/live-sources.ts';
import { whyNotStorable } from '#domain/records/storable-fields.ts';
import { inexactLiteral, markInexact } from '#platform/exact-numbers.ts';
import { nestingOf } from '#platform/json-nesting.ts';
import { type JsonPath, walkJson } from '#platform/walk-json.ts';
import type { PagedSource } from '#store/workspaces/sources.ts';
import { wrongShape } from './source-failure.ts';
import { flatPath, pathText, shapeFault } from './source-shape.ts';

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
export interface OpenSource extends Omit<PagedSource, 'sealed_secret' | 'sealed_headers'> {
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
    throw wrongShape('the reply is not UTF-8');
  }
}

/**
 * The JSON of a reply, in which a number that a double does not keep is marked: `pageOf` refuses it. `what` names the
 * text. Throws SourceFailure `shape`.
 */
export function jsonOf(text: string, what = 'the reply'): unknown {
  const depth = nestingOf(text);
  if (depth !== undefined && depth > limits.json_max_depth)
    throw wrongShape(`${what} nests deeper than ${limits.json_max_depth} levels`);
  try {
    if (depth !== undefined) return JSON.parse(markInexact(text));
  } catch {
    // As when the brackets already say so.
  }
  throw wrongShape(`${what} is not JSON`);
}

/** A page: its items, whether others exist, and how to ask for the next one if the source can be asked. */
export interface Page {
  items: SourceItem[];
  has_more: boolean;
  cursor?: string | undefined;
}

/** The page in a reply. Throws SourceFailure `shape` also for an item that a record could not have. */
export function pageOf(value: unknown): Page {
  const page = SourcePage.safeParse(value);
  const [issue] = page.error?.issues ?? [];
  if (issue) throw wrongShape(shapeFault(value, issue));
  const flat = flatFault(memberOf(value, 'items'));
  if (flat) throw wrongShape(pathText(flat.path) + flat.message);
  const { items = [], next_cursor = '' } = page.data ?? {};
  const inexact = walkJson({ items, next_cursor }, inexactAt);
  if (inexact !== undefined) throw wrongShape(inexact);
  const fault = recordFault(items);
  if (fault) throw wrongShape(pathText(fault.path) + fault.message);
  if (!next_cursor.isWellFormed()) throw wrongShape('next_cursor has text that is not well-formed Unicode');
  return { items, has_more: next_cursor !== '', ...(next_cursor !== '' && { cursor: next_cursor }) };
}

/** A place of the items, and what is wrong there. */
interface ItemFault {
  path: (string | number)[];
  message: string;
}

function flatFault(sent: unknown): ItemFault | undefined {
  const path = flatPath(Array.isArray(sent) ? sent : []);
  return path && { path: [...path], message: ' stands beside fields: put the values of an item into fields' };
}

function recordFault(items: readonly SourceItem[]): ItemFault | undefined {
  const faults = items.map(whyNoRecord);
  const at = faults.findIndex((fault) => fault !== undefined);
  return at < 0 ? undefined : { path: ['items', at], message: faults[at] ?? '' };
}

/** Why items, as sent and as read, could be no records: the first fault. */
export const itemsFault = (sent: unknown, items: readonly SourceItem[]): ItemFault | undefined =>
  flatFault(sent) ?? recordFault(items);

function inexactAt(value: unknown, path: JsonPath): string | undefined {
  const literal = inexactLiteral(value);
  if (literal === undefined) return undefined;
  return `${pathText(path)} is ${literal}, which a double does not keep: send it as a text`;
}

/** Why an item could be no record, after its own place. */
function whyNoRecord({ fields, ...rest }: SourceItem): string | undefined {
  const inFields = whyNotStorable(fields);
  if (inFields !== undefined) return `.fields: ${inFields}`;
  const inRest = whyNotStorable(rest);
  return inRest && `: ${inRest}`;
}
