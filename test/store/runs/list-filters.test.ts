// rules.md: reads 4. Whatever the filter of a list, its pages together contain every matching run, once, newest first.
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunStatus } from '#contract/runs.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { type ListQuery, listRuns } from '#domain/runs/list-runs.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { hasPair } from '#store/runs/run-list.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { giveServiceSecret } from '../../support/fakes.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { caller, runRecord } from '../../support/runs.ts';

useMemoryTable();
beforeEach(giveServiceSecret);
afterEach(() => vi.unstubAllGlobals());

const statuses = ['pending', 'running', 'paused', 'succeeded', 'failed', 'canceled'] as const;
const error = { code: 'internal_error', type: 'internal', message: 'm', doc_url: 'd' } as const;
const FIRST = 1_700_000_000_000;

const drawn: fc.Arbitrary<Drawn> = fc.record({
  status: fc.constantFrom(...statuses),
  /** Failed before, and resumed since. */
  resumed: fc.boolean(),
  input_type: fc.constantFrom('query' as const, 'plan' as const),
  created_at: fc.integer({ min: FIRST, max: FIRST + 5 }),
  metadata: fc.constantFrom<Drawn['metadata']>(
    undefined,
    { team: 'a' },
    { team: 'b', 'x:y': 'z' },
    { x: 'y:z' },
  ),
});
const time = fc.option(fc.integer({ min: FIRST - 1, max: FIRST + 6 }), { nil: undefined });
const asked = fc.record({
  status: fc.option(fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1 }), { nil: undefined }),
  input_type: fc.constantFrom(undefined, 'query' as const, 'plan' as const),
  metadata: fc.constantFrom(undefined, 'team:a', 'x:y:z', 'team:none'),
  created_after: time,
  created_before: time,
  limit: fc.integer({ min: 1, max: 4 }),
});

interface Drawn {
  status: RunStatus;
  resumed: boolean;
  input_type: 'query' | 'plan';
  created_at: number;
  metadata?: Record<string, string> | undefined;
}

/** A run that came to its status as runs do. */
async function given({ status, resumed, ...rest }: Drawn, { workspace }: Caller): Promise<RunRecord> {
  const { workspace_id } = workspace;
  const drawnRun = runRecord({ ...rest, workspace_id, status: 'pending', version: 0 });
  await claimSlot(workspace_id, drawnRun.id, 100, undefined);
  let run = await runs.create(drawnRun, [], []);
  const ended = { completed_at: rest.created_at, log_finished: true, errors: [error] };
  if (resumed) {
    run = await runs.commit(run, { change: { status: 'failed', ...ended } });
    run = await runs.commit(run, {
      change: { status: 'pending', completed_at: undefined, errors: [], log_finished: false },
    });
  }
  return status === 'pending'
    ? run
    : runs.commit(run, {
        change: status === 'running' || status === 'paused' ? { status } : { status, ...ended },
      });
}

function passes(run: RunRecord, query: ListQuery): boolean {
  return (
    (query.status?.includes(run.status) ?? true) &&
    (query.input_type ?? run.input_type) === run.input_type &&
    (query.metadata === undefined || hasPair(run, query.metadata)) &&
    run.created_at > (query.created_after ?? 0) &&
    run.created_at < (query.created_before ?? Number.POSITIVE_INFINITY)
  );
}

async function allPages(by: Caller, query: ListQuery): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRuns(by.workspace, { ...query, cursor });
    expect(page.data.length).toBeLessThanOrEqual(query.limit ?? 0);
    expect(page.has_more).toBe(page.next_cursor !== null);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

test('any runs, any filter, any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawn, { maxLength: 9 }),
      fc.array(asked, { maxLength: 6 }),
      async (all, queries) => {
        const by = await caller();
        const made = await Promise.all(all.map((one) => given(one, by)));
        const nameOf = (run: RunRecord) => `${run.created_at}#${run.id}`;
        const newest = made.sort((a, b) => (nameOf(a) < nameOf(b) ? 1 : -1));
        for (const query of queries) {
          const expected = newest.filter((run) => passes(run, query)).map(({ id }) => id);
          expect(await allPages(by, query), JSON.stringify(query)).toEqual(expected);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('an end is listed without looking at the runs that ended otherwise', async () => {
  const by = await caller();
  const one: Drawn = { status: 'failed', created_at: FIRST, resumed: false, input_type: 'plan' };
  const failed = await given(one, by);
  for (let i = 0; i < 40; i += 1) await given({ ...one, status: 'succeeded', created_at: FIRST + i }, by);
  const read = vi.spyOn(runs, 'getUnread');
  const page = await listRuns(by.workspace, { status: ['failed'], limit: 1 });
  expect(page).toMatchObject({ data: [{ id: failed.id }], has_more: false });
  expect(read.mock.calls).toEqual([[by.workspace.workspace_id, [failed.id]]]);
});
