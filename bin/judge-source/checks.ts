// What a live source of kind `http` must do (rules.md: sources 3), each as one check.
import { randomUUID } from 'node:crypto';
import { limits } from '../../functions/contract/limits.ts';
import { httpPages } from '../../functions/domain/sources/http-pages.ts';
import { SourceFailure } from '../../functions/domain/sources/source-failure.ts';
import type { OpenSource, Page, PageRequest } from '../../functions/domain/sources/source-pages.ts';
import { signWebhook } from '../../functions/domain/webhooks/sign.ts';
import type { Send } from '../../functions/outbound/request.ts';

export interface Asked {
  url: string;
  secret: string;
  headers: Readonly<Record<string, string>>;
  send: Send;
}

/** What is wrong; undefined: nothing. */
type Verdict = string | undefined;

/** The checks by what each one says of a source. */
export const checks: Readonly<Record<string, (asked: Asked) => Promise<Verdict>>> = {
  'answers a signed request with a page': async (asked) => {
    await pageOf(asked, {});
    return undefined;
  },
  'answers a request that selects and sorts': async (asked) => {
    await pageOf(asked, {
      query: 'nothing in particular',
      where: { field: 'name', op: 'exists', value: true },
      sort: [{ field: 'name' }],
    });
    return undefined;
  },
  'refuses a wrong signature': (asked) => refused(asked, { secret: `${asked.secret}x` }),
  'refuses a signature of an hour ago': (asked) => refused(asked, { ageSeconds: 3600 }),
  'refuses a request without a signature': (asked) => refused(asked, { unsigned: true }),
  'gives pages that end': async (asked) => {
    const { pages, ended } = await allPages(asked);
    return ended
      ? undefined
      : `${pages.length} pages were read, and more follow; a fetch would leave them out`;
  },
  'gives every item once, with an id or an external_uri': async (asked) => {
    const items = (await allPages(asked)).pages.flatMap((page) => page.items);
    const ids = items.map(({ id, external_uri }) => id ?? external_uri);
    if (ids.includes(undefined)) return 'an item has neither, so its id changes with its content';
    return new Set(ids).size === ids.length ? undefined : 'an id is on two items; the second is left out';
  },
  'answers the same request alike': async (asked) => {
    const [first, second] = [await pageOf(asked, {}), await pageOf(asked, {})];
    const idsOf = ({ items }: Page) =>
      JSON.stringify(items.map(({ id, external_uri }) => id ?? external_uri));
    return idsOf(first) === idsOf(second) ? undefined : 'the items or their order changed';
  },
};

function pageOf(asked: Asked, request: Partial<PageRequest>): Promise<Page> {
  const { url, secret, headers, send } = asked;
  const source: OpenSource = {
    ...{ workspace_id: randomUUID(), name: 'judged', kind: 'http', description: '', entity_type: 'judged' },
    ...{ fields: [], timeout_ms: limits.source_timeout_default_ms, created_at: 0, url, secret, headers },
  };
  const call = { timeoutMs: source.timeout_ms, signal: new AbortController().signal };
  return httpPages(source, send).page({ ...bodyOf(), ...request }, call);
}

const bodyOf = (): PageRequest => ({
  run_id: randomUUID(),
  step_index: 0,
  query: '',
  limit: limits.step_items_max,
});

/** All pages that a fetch would read. Throws SourceFailure, and Error for a cursor that comes again. */
async function allPages(asked: Asked): Promise<{ pages: Page[]; ended: boolean }> {
  const pages: Page[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  while (pages.length < limits.source_pages_max) {
    const page = await pageOf(asked, { cursor });
    pages.push(page);
    cursor = page.cursor;
    if (cursor === undefined) return { pages, ended: true };
    if (seen.has(cursor)) throw new Error(`next_cursor ${JSON.stringify(cursor)} came twice`);
    seen.add(cursor);
  }
  return { pages, ended: false };
}

async function refused(
  { url, secret, headers, send }: Asked,
  wrong: { secret?: string; ageSeconds?: number; unsigned?: true },
): Promise<Verdict> {
  const body = JSON.stringify(bodyOf());
  const timestampSeconds = Math.floor(Date.now() / 1000) - (wrong.ageSeconds ?? 0);
  const signature = signWebhook({ secretsHex: [wrong.secret ?? secret], body, timestampSeconds });
  const outcome = await send({
    method: 'POST',
    url,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      ...(wrong.unsigned ? {} : { 'X-Service-Signature': signature }),
    },
    body,
    timeoutMs: limits.source_timeout_default_ms,
  });
  if (outcome.kind !== 'response') return 'it gave no reply';
  const isRefusal = outcome.status === 401 || outcome.status === 403;
  return isRefusal ? undefined : `it answered with ${outcome.status}; expected 401 or 403`;
}

/** What became of a check. */
export async function verdictOf(check: (asked: Asked) => Promise<Verdict>, asked: Asked): Promise<Verdict> {
  try {
    return await check(asked);
  } catch (error) {
    if (!(error instanceof SourceFailure)) return error instanceof Error ? error.message : String(error);
    return error.status_code === undefined ? error.reason : `${error.reason} ${error.status_code}`;
  }
}
