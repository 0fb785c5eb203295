// Lists of runs, newest first (rules.md: reads 1).
import type * as z from 'zod';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { InputType, ListedRun, RunList, RunStatus } from '#contract/runs.ts';
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';
import * as runList from '#store/run-list.ts';
import * as runs from '#store/runs.ts';
import { toListedRun } from './envelope.ts';

export interface ListQuery {
  status?: RunStatus | undefined;
  input_type?: InputType | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many runs one request looks through at most when it filters by status; the page may then be short and go on. */
const LOOK_MAX = 500;
/** How many runs are read at once: few enough that the memory holds the longest of them. */
const READ_MAX = 25;
/** What surrounds the entries of a page. */
const FRAME_BYTES = 1024;
const MAC_BYTES = 16;

async function macOf(workspaceId: string, key: string): Promise<Buffer> {
  return hmacSha256(await serviceKey('cursor'), `${workspaceId}|runs|${key}`).subarray(0, MAC_BYTES);
}

async function encode(workspaceId: string, key: string): Promise<string> {
  return Buffer.concat([await macOf(workspaceId, key), Buffer.from(key)]).toString('base64url');
}

async function decode(workspaceId: string, cursor: string): Promise<string> {
  const bytes = base64urlDecode(cursor);
  const key = bytes?.subarray(MAC_BYTES).toString() ?? '';
  if (bytes && key !== '' && constantTimeEqual(bytes.subarray(0, MAC_BYTES), await macOf(workspaceId, key)))
    return key;
  const issue = {
    code: 'custom',
    expected: 'a cursor of this list',
    received: 'string',
    path: ['cursor'],
    message: 'This cursor was not issued here',
  };
  throw fail('schema_validation_failed', {
    param: 'cursor',
    message: issue.message,
    details: { issues: [issue] },
  });
}

interface Found {
  key: string;
  entry: ListedRun;
  bytes: number;
}

/** The first runs that a page takes: at most `limit`, at most as many bytes as a page may have, and at least one. */
function pageOf(found: Found[], limit: number): Found[] {
  let room = limits.runs_page_max_bytes - FRAME_BYTES;
  const end = found.findIndex(({ bytes }, i) => {
    room -= bytes + 1;
    return i === limit || (room < 0 && i > 0);
  });
  return end < 0 ? found : found.slice(0, end);
}

/** A page of runs; it ends early where entries are long. Throws schema_validation_failed (`cursor`). */
export async function listRuns(workspaceId: string, query: ListQuery): Promise<z.output<typeof RunList>> {
  const limit = query.limit ?? limits.runs_page_default;
  const atOnce = Math.min(limit + 1, READ_MAX);
  let afterKey = query.cursor === undefined ? undefined : await decode(workspaceId, query.cursor);
  const found: Found[] = [];
  let more = true;
  for (let looked = 0; more && pageOf(found, limit).length === found.length && looked < LOOK_MAX; ) {
    const page = await runList.page(workspaceId, { limit: atOnce, inputType: query.input_type, afterKey });
    found.push(...(await readListed(workspaceId, page.listed, query.status)));
    looked += atOnce;
    afterKey = page.nextKey;
    more = page.nextKey !== undefined;
  }
  const shown = pageOf(found, limit);
  const lastKey = found.length > shown.length ? shown.at(-1)?.key : afterKey;
  const has_more = found.length > shown.length || more;
  return {
    object: 'list',
    data: shown.map(({ entry }) => entry),
    next_cursor: has_more && lastKey !== undefined ? await encode(workspaceId, lastKey) : null,
    has_more,
  };
}

/** The entries of listed runs, of one status if one is given. */
async function readListed(
  workspaceId: string,
  listed: { run_id: string; key: string }[],
  status: RunStatus | undefined,
): Promise<Found[]> {
  const keyOf = new Map(listed.map(({ run_id, key }) => [run_id, key]));
  const all = await runs.getMany(workspaceId, [...keyOf.keys()]);
  return all
    .filter((run) => !status || run.status === status)
    .map((run) => {
      const entry = toListedRun(run);
      return { key: keyOf.get(run.id) ?? '', entry, bytes: Buffer.byteLength(JSON.stringify(entry)) };
    });
}
