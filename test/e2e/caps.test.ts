// rules.md: capacity, credits. Daily caps and credits apply to every way of starting a run, also to many at once;
// capacity.test.ts tests one at a time.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, type HttpReply } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const spending = { kind: 'analyze', instructions: '[[tokens:1000000,400000,500000,100000]]' };
const thinking = { kind: 'analyze', instructions: 'what stands out' };

const statuses = (replies: HttpReply[]) => Object.groupBy(replies, ({ status }) => String(status));
const createsMany = (home: given.Home, count: number, steps: Record<string, unknown>[]) =>
  Promise.all(Array.from({ length: count }, () => when.createsPlanRun(home, steps)));

async function spends(home: given.Home): Promise<void> {
  const { body } = await when.createsPlanRun(home, [spending]);
  await then.ended(home, body.id);
}

test('a cap holds for resume and rerun-from, too', async () => {
  const home = await given.workspace({ daily_cost_cap_usd: 3 });
  const { body } = await when.createsPlanRun(home, [
    spending,
    { ...thinking, instructions: '[[fail-once]]' },
  ]);
  await then.ended(home, body.id);
  const refused = await Promise.all([when.resumes(home, body.id), when.rerunsFrom(home, body.id, 1)]);
  expect(refused.map(({ status, body: { error } }) => [status, error.code])).toEqual([
    [429, 'workspace_cost_cap_exceeded'],
    [429, 'workspace_cost_cap_exceeded'],
  ]);
});

test('50 creates at once at a spent daily cap are all refused', async () => {
  const home = await given.workspace({ daily_cost_cap_usd: 3.04, max_concurrent_runs: 500 });
  await spends(home);
  const replies = await createsMany(home, 50, [when.fetchCompanies]);
  expect(new Set(replies.map(({ body }) => body.error?.code))).toEqual(
    new Set(['workspace_cost_cap_exceeded']),
  );
  expect(await admin({ command: 'workspace.show', workspace_id: home.workspace_id })).toMatchObject({
    runs_in_flight: 0,
    cost_today_usd: 3.04,
  });
});

test('80 creates at once with credits for 50 admit exactly 50', { timeout: 120_000 }, async () => {
  const home = await given.workspace({ credits: 50 * 22, max_concurrent_runs: 500 });
  const replies = await createsMany(home, 80, [when.fetchCompanies, thinking]);
  const { 202: admitted = [], 429: refused = [] } = statuses(replies);
  expect([admitted.length, refused.length]).toEqual([50, 30]);
  for (const { body } of refused)
    expect(body.error).toMatchObject({
      code: 'workspace_cost_cap_exceeded',
      details: { reason: 'credits', required: 22, available: 0 },
    });
  for (const { body } of admitted) await then.ended(home, body.id, 60_000);
  expect(await admin({ command: 'workspace.show', workspace_id: home.workspace_id })).toMatchObject({
    credits_left: 0,
    credits_held: 0,
    runs_in_flight: 0,
  });
  const { entries } = await admin({ command: 'ledger.list', workspace_id: home.workspace_id });
  expect(entries.map(({ number }: { number: number }) => number)).toEqual(
    [...Array(101).keys()].map((i) => i + 1),
  );
  expect(entries.at(-1).credits_left).toBe(0);
});
