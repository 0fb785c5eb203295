// rules.md: records 13, cancel 2. What a step may read, and how it ends when it would read more.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { fetchedBy, groupsOf } from '../support/outcomes.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun, readsLog, resumes } from '../support/when.ts';

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `t${i}`);

test('a step in which a record counts under too many groups fails, and can be resumed', async () => {
  const home = await given.workspace();
  const lists = { a: numbered(11), b: numbered(10), c: numbered(10) };
  await given.entities(home.workspace_id, [{ type: 'list', name: 'One', fields: lists }]);
  expect((await fetchedBy(home, { source: 'lists', group_by: ['b', 'c'] })).rows).toHaveLength(100);
  const all = { kind: 'fetch', params: { source: 'lists', group_by: ['a', 'b', 'c'] } };
  const { id } = (await createsPlanRun(home, [all])).body;
  for (const resumed of [false, true]) {
    if (resumed) expect((await resumes(home, id)).status).toBe(202);
    const run = await then.ended(home, id);
    expect(run).toMatchObject({ status: 'failed', resumable: true });
    expect(run.errors).toMatchObject([
      {
        code: 'step_too_costly',
        type: 'plan_error',
        details: { reason: 'groups_per_record', limit: 1000, step_index: 0 },
      },
    ]);
    await then.soundLog(home, id);
  }
});

/** Each condition compares 199 characters at each of 350,000 positions of a record. */
const LONG_WORD = 'a'.repeat(2000);
const costlyText = Array.from({ length: 175 }, () => LONG_WORD).join(' ');
const costly = {
  or: Array.from({ length: 3 }, (_, k) => ({
    or: Array.from({ length: 16 }, (_, i) => ({
      field: 'text',
      op: 'contains',
      value: `${'a'.repeat(199 - i)}${String.fromCharCode(98 + k)}`,
    })),
  })),
};

test('a cancel interrupts a step that reads records', async () => {
  const home = await given.workspace();
  const records = Array.from({ length: 60 }, (_, i) => ({
    type: 'book',
    name: `${i}`,
    fields: { text: costlyText },
  }));
  for (let i = 0; i < records.length; i += 10)
    await given.entities(home.workspace_id, records.slice(i, i + 10));
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'books', where: costly } }]))
    .body;
  await then.event(home, id, 'step.started');
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  const run = await then.ended(home, id);
  expect(run).toMatchObject({
    status: 'canceled',
    errors: [{ code: 'canceled_by_user', details: { step_index: 0 } }],
  });
  await then.soundLog(home, id);
  const [failed, canceled] = (await readsLog(home, id)).slice(-2);
  expect(failed).toMatchObject({
    event_type: 'step.failed',
    data: { error: { code: 'canceled_by_user', details: { step_index: 0 } } },
  });
  expect(canceled).toMatchObject({ event_type: 'run.canceled' });
});

const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

async function things(): Promise<given.Home> {
  const home = await given.workspace();
  await given.entities(home.workspace_id, [
    { type: 'thing', name: 'One', fields: { n: 1 } },
    { type: 'thing', name: 'Two', fields: { n: 2 } },
  ]);
  return home;
}

test.each(NAMES)('%s is the name of a field that no record has', async (name) => {
  const home = await things();
  const found = await fetchedBy(home, {
    source: 'things',
    where: { field: name, op: 'exists', value: false },
    sort: [{ field: name }, { field: 'n' }],
    fields: [name, 'n'],
  });
  expect(found.rows).toMatchObject([{ n: 1 }, { n: 2 }]);
  expect(groupsOf(await fetchedBy(home, { source: 'things', group_by: [name] }))).toEqual([{ count: 2 }]);
});

test.each(NAMES)('%s is the name of a measure like any other', async (name) => {
  const measures = [{ as: name, op: 'sum', field: 'n' }];
  const measured = await fetchedBy(await things(), { source: 'things', measures });
  expect(measured.columns).toEqual(['name', name]);
  expect(Object.entries(measured.rows[0] ?? {})).toContainEqual([name, 3]);
});
