// rules.md: reads, artifacts. Runs, artifacts and notes, as a client reads them.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const UNKNOWN = '0b2a4c6e-0000-4000-8000-000000000001';
/** Ids that no resource has, spelled well and badly. */
const noIds = [
  UNKNOWN,
  'abc',
  '%00',
  'a%2Fb',
  '%zz',
  '%F0%9F%98%80',
  `${UNKNOWN}0`,
  `%20${UNKNOWN}`,
  'x'.repeat(2000),
];

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const get = (path: string, as: Pick<given.Home, 'key'> = home) => call('GET', path, { key: as.key });

describe('GET /runs/{id}', () => {
  test('answers the envelope, the id in either case', async () => {
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
    const run = await then.ended(home, id);
    expect((await get(`/runs/${id.toUpperCase()}`)).body).toEqual(run);
  });

  test('of a run that succeeded: times, steps, artifacts and usage', async () => {
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
    const run = await then.ended(home, id);
    expect(run).toMatchObject({ status: 'succeeded', resumable: false, errors: [], warnings: [] });
    expect(run.completed_at).toBeGreaterThanOrEqual(run.started_at);
    expect(run.started_at).toBeGreaterThanOrEqual(run.created_at);
    expect(run.steps).toEqual([
      expect.objectContaining({ index: 0, kind: 'fetch', status: 'completed', items_out: 3, attempt: 1 }),
      expect.objectContaining({ index: 1, kind: 'reconstitute', status: 'completed', attempt: 1 }),
    ]);
    expect(run.message).toEqual(expect.any(String));
    expect(run.artifacts.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['table', 'text']);
    const table = run.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
    expect(Object.keys(table).sort()).toEqual(['id', 'kind', 'row_count', 'title']);
    expect(table.row_count).toBe(3);
  });

  test('of a run that failed: the error with its step, resumable, no credits used', async () => {
    const own = await given.workspace({ credits: 100 });
    const created = await when.createsPlanRun(own, [
      { kind: 'fetch' },
      { kind: 'analyze', instructions: '[[fail]]' },
    ]);
    const run = await then.ended(own, created.body.id);
    expect(run).toMatchObject({ status: 'failed', resumable: true, usage: { credits_used: 0 } });
    expect(run.errors).toEqual([
      expect.objectContaining({
        code: 'model_unavailable',
        type: 'unavailable',
        details: expect.objectContaining({ step_index: 1, cause: 'away' }),
      }),
    ]);
    expect(run.errors[0].doc_url).toMatch(/\/docs\/errors#model_unavailable$/);
    expect(run.steps[1]).toMatchObject({ status: 'failed', error: { code: 'model_unavailable' } });
  });

  test.each(noIds)('%s: run_not_found', async (id) => {
    expectRefusal(await get(`/runs/${id}`), 404, 'run_not_found');
  });

  test('a foreign run is answered as one that does not exist', async () => {
    const foreign = await given.workspace();
    const { id } = (await when.createsPlanRun(foreign, [{ kind: 'fetch' }])).body;
    const [theirs, none] = [await get(`/runs/${id}`), await get(`/runs/${UNKNOWN}`)];
    expectRefusal(theirs, 404, 'run_not_found');
    const { request_id: _a, ...first } = theirs.body.error;
    const { request_id: _b, ...second } = none.body.error;
    expect(first).toEqual(second);
  });
});

describe('GET /runs', () => {
  let own: given.Home;
  let ids: string[];
  beforeAll(async () => {
    own = await given.workspace();
    ids = [];
    for (let i = 0; i < 7; i += 1) {
      const body =
        i % 3 === 0
          ? { input_type: 'query', query: 'List companies' }
          : {
              input_type: 'plan',
              plan: when.plan({ kind: 'analyze', instructions: i === 5 ? '[[fail]]' : 'x' }),
            };
      const metadata = { team: i < 4 ? 'growth' : 'ops', 'a:b': String(i % 2) };
      ids.unshift((await call('POST', '/runs', { key: own.key, body: { ...body, metadata } })).body.id);
    }
    await Promise.all(ids.map((id) => then.ended(own, id)));
  });

  const listed = async (query: string) => {
    const { body } = await get(`/runs?${query}`, own);
    return { ids: body.data.map(({ id }: { id: string }) => id), ...body };
  };

  /** Every page of a list, by its cursor. */
  async function pages(query: string): Promise<string[][]> {
    const all: string[][] = [];
    let cursor = '';
    for (;;) {
      const page = await listed(query + cursor);
      all.push(page.ids);
      if (!page.has_more) {
        expect(page.next_cursor).toBeNull();
        return all;
      }
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }

  test('lists envelopes with kind and title in place of input and config, newest first', async () => {
    const page = await listed('');
    expect(page).toMatchObject({ object: 'list', has_more: false, next_cursor: null, ids });
    const { input, config: _, ...envelope } = await when.readsRun(own, String(ids[0]));
    expect(page.data[0]).toEqual({ ...envelope, input_type: input.input_type, title: 'List companies' });
    expect(page.data[1].title).toBe('Test plan');
  });

  test('the title of a query is its first 120 characters, that of a dossier the name of its record', async () => {
    const titled = await given.workspace();
    const [acme] = await given.companies(titled.workspace_id);
    const query = `Which companies are in Berlin${' or in Berlin'.repeat(20)}?`;
    for (const body of [
      { input_type: 'query', query },
      { input_type: 'preset', preset: 'dossier', params: { entity: { id: acme?.id } } },
    ])
      expect((await call('POST', '/runs', { key: titled.key, body })).status).toBe(202);
    const titles = (await get('/runs', titled)).body.data.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Acme', query.slice(0, 120)]);
  });

  test.each([1, 2, 3, 6, 7, 100])('in pages of %d: every run once, in order', async (limit) => {
    const found = await pages(`limit=${limit}`);
    expect(found.flat()).toEqual(ids);
    for (const page of found) expect(page.length).toBeLessThanOrEqual(limit);
  });

  test('a run made between two pages moves nothing', async () => {
    const moving = await given.workspace();
    const make = async () => (await when.createsPlanRun(moving, [{ kind: 'fetch' }])).body.id;
    const [first, second] = [await make(), await make()];
    const page = (await get('/runs?limit=1', moving)).body;
    await make();
    const next = (await get(`/runs?limit=1&cursor=${page.next_cursor}`, moving)).body;
    expect([page.data[0].id, next.data[0].id]).toEqual([second, first]);
  });

  test('filters by input_type, by status, and by both, on every page', async () => {
    const queries = ids.filter((_, i) => (6 - i) % 3 === 0);
    expect((await pages('input_type=query&limit=1')).flat()).toEqual(queries);
    expect((await pages('input_type=plan&limit=2')).flat()).toEqual(
      ids.filter((id) => !queries.includes(id)),
    );
    expect((await pages('status=failed&limit=1')).flat()).toEqual([ids[1]]);
    expect((await pages('status=failed&input_type=query')).flat()).toEqual([]);
    expect((await pages('status=paused')).flat()).toEqual([]);
    const others = ids.filter((_, i) => i !== 1);
    expect((await pages('status=succeeded,running&limit=2')).flat()).toEqual(others);
    expect((await pages('status=failed,succeeded,failed&limit=3')).flat()).toEqual(ids);
  });

  test('filters by metadata and by time of creation, which is exclusive on both sides', async () => {
    expect((await pages('metadata=team:growth&limit=3')).flat()).toEqual(ids.slice(3));
    expect((await pages('metadata=team:ops&status=failed')).flat()).toEqual([ids[1]]);
    expect((await pages('metadata=a:b:1&limit=2')).flat()).toEqual([ids[1], ids[3], ids[5]]);
    expect((await pages('metadata=team:')).flat()).toEqual([]);
    const { data } = await listed('');
    const newerThan = (at: number) => data.filter((run: { created_at: number }) => run.created_at > at);
    const [after, before] = [data[5].created_at, data[1].created_at];
    const between = newerThan(after).filter((run: { created_at: number }) => run.created_at < before);
    expect((await pages(`created_after=${after}&created_before=${before}&limit=1`)).flat()).toEqual(
      between.map(({ id }: { id: string }) => id),
    );
    expect((await pages(`created_after=${before}&created_before=${after}`)).flat()).toEqual([]);
  });

  test('20 are a page where no limit is given', async () => {
    const many = await given.workspace();
    await Promise.all(Array.from({ length: 21 }, () => when.createsPlanRun(many, [{ kind: 'fetch' }])));
    expect((await get('/runs', many)).body.data).toHaveLength(20);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=x', 'limit'],
    ['limit=', 'limit'],
    ['limit=%2010', 'limit'],
    ['limit=5&limit=5', 'limit'],
    ['status=done', 'status'],
    ['status=', 'status'],
    ['status=failed&status=paused', 'status'],
    ['status=failed,', 'status'],
    ['status=failed,%20paused', 'status'],
    ['created_after=', 'created_after'],
    ['created_after=-1', 'created_after'],
    ['created_before=2026-11-20', 'created_before'],
    ['created_before=100000000000000', 'created_before'],
    ['metadata=', 'metadata'],
    ['metadata=team', 'metadata'],
    ['metadata=:x', 'metadata'],
    [`metadata=${'k'.repeat(65)}:x`, 'metadata'],
    [`metadata=k:${'x'.repeat(513)}`, 'metadata'],
    ['metadata=a:b&metadata=c:d', 'metadata'],
    ['input_type=sql', 'input_type'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=%00', 'cursor'],
    [`cursor=${'A'.repeat(3000)}`, 'cursor'],
  ])('%s is refused', async (query, param) => {
    expectRefusal(await get(`/runs?${query}`, own), 422, 'schema_validation_failed', { param });
  });

  test('a cursor of another workspace, a changed one and one with junk behind are refused', async () => {
    const cursor = String((await listed('limit=1')).next_cursor);
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const [as, wrong] of [
      [home, cursor],
      [own, flipped],
      [own, `${cursor}!!`],
      [own, `${cursor}=`],
      [own, cursor.slice(0, -1)],
    ] as const)
      expectRefusal(
        await get(`/runs?cursor=${encodeURIComponent(wrong)}`, as),
        422,
        'schema_validation_failed',
        {
          param: 'cursor',
        },
      );
  });

  test('holds no foreign runs', async () => {
    expect((await get('/runs', await given.workspace())).body.data).toEqual([]);
  });
});

describe('GET /artifacts/{id}', () => {
  test.each(noIds)('%s: artifact_not_found', async (id) => {
    expectRefusal(await get(`/artifacts/${id}`), 404, 'artifact_not_found');
  });

  test('table and text of a plan run; links of a table are an empty list, and absent unless asked for', async () => {
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
    const run = await then.ended(home, id);
    for (const summary of run.artifacts) {
      const plain = (await get(`/artifacts/${summary.id}`)).body;
      expect(plain).toMatchObject({
        object: 'artifact',
        run_id: id,
        kind: summary.kind,
        title: summary.title,
      });
      expect(plain).not.toHaveProperty('entity_refs');
      const linked = (await get(`/artifacts/${summary.id}?include=links`)).body;
      expect(linked).toEqual({ ...plain, entity_refs: [] });
      if (summary.kind !== 'table') continue;
      expect(plain.row_count).toBe(plain.rows.length);
      for (const row of plain.rows) expect(plain.columns).toEqual(expect.arrayContaining(Object.keys(row)));
    }
  });

  test.each(['include=', 'include=foo', 'include=links,foo', 'include=links&include=links', 'include=Links'])(
    '?%s is refused, before the artifact is looked for',
    async (query) => {
      const reply = await get(`/artifacts/${UNKNOWN}?${query}`);
      expectRefusal(reply, 422, 'schema_validation_failed', { param: 'include' });
    },
  );

  test('a foreign artifact is artifact_not_found', async () => {
    const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
    const run = await then.ended(home, id);
    const foreign = await given.workspace();
    expectRefusal(await get(`/artifacts/${run.artifacts[0].id}`, foreign), 404, 'artifact_not_found');
  });
});

describe('GET /notes/{id}', () => {
  test.each(noIds)('%s: note_not_found', async (id) => {
    expectRefusal(await get(`/notes/${id}`), 404, 'note_not_found');
  });
});
