// Lists of runs, newest first (rules.md: reads 1).
import type * as z from 'zod';
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { InputType, RunList, RunStatus } from '#contract/runs.ts';
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';
import * as runList from '#store/run-list.ts';
import { getRunViews } from '#store/run-views.ts';
import { toEnvelope } from './envelope.ts';

export interface ListQuery {
  status?: RunStatus | undefined;
  input_type?: InputType | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many runs one request looks through at most when it filters by status; the page may then be short and go on. */
const LOOK_MAX = 500;
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

/** A page of envelopes. Throws schema_validation_failed (`cursor`). */
export async function listRuns(workspaceId: string, query: ListQuery): Promise<z.output<typeof RunList>> {
  const limit = query.limit ?? limits.runs_page_default;
  let afterKey = query.cursor === undefined ? undefined : await decode(workspaceId, query.cursor);
  const found: { key: string; envelope: ReturnType<typeof toEnvelope> }[] = [];
  let more = true;
  for (let looked = 0; more && found.length <= limit && looked < LOOK_MAX; ) {
    const page = await runList.page(workspaceId, { limit: limit + 1, inputType: query.input_type, afterKey });
    const views = await getRunViews(
      workspaceId,
      page.listed.map(({ run_id }) => run_id),
    );
    const keyOf = new Map(page.listed.map(({ run_id, key }) => [run_id, key]));
    for (const { run, input } of views)
      if (!query.status || run.status === query.status)
        found.push({ key: keyOf.get(run.id) ?? '', envelope: toEnvelope(run, input) });
    looked += limit + 1;
    afterKey = page.nextKey;
    more = page.nextKey !== undefined;
  }
  const shown = found.slice(0, limit);
  const lastKey = found.length > limit ? shown.at(-1)?.key : afterKey;
  const has_more = found.length > limit || more;
  return {
    object: 'list',
    data: shown.map(({ envelope }) => envelope),
    next_cursor: has_more && lastKey !== undefined ? await encode(workspaceId, lastKey) : null,
    has_more,
  };
}
