// rules.md: capacity 1, credits 1. A new run and its slot, which is claimed first.
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { builtInPrices } from '#contract/prices.ts';
import { insertRun, type RunDraft } from '#domain/commands/insert-run.ts';
import { runIdOf } from '#domain/commands/use-key.ts';
import { newId } from '#platform/ids.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { readCounters } from '#store/money/counters.ts';
import { aroundTable } from '../../support/around-table.ts';
import { draftOf } from '../../support/run-drafts.ts';
import { caller } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
const sfn = mockClient(SFNClient);
beforeEach(() => {
  sfn.reset();
  sfn.on(StartExecutionCommand).resolves({});
  process.env.STATE_MACHINE_ARN = 'machine';
});

const pricing = { names: ['offline'], prices: builtInPrices };
type Caller = RunDraft['caller'];

/** The commands that the table gets from now on, by name. */
function commandsSeen(): string[] {
  const seen: string[] = [];
  const restore = aroundTable(async ({ name }, carryOut) => {
    seen.push(name);
    return carryOut();
  });
  onTestFinished(restore);
  return seen;
}

const inFlight = async ({ workspace }: Caller) =>
  Object.keys((await readCounters(workspace.workspace_id)).slots);

test('a create claims a slot and reserves the credits before it writes the run, without a transaction', async () => {
  const by = await caller(100);
  const seen = commandsSeen();
  const { run } = await insertRun(draftOf(by), pricing);
  expect(seen).toEqual(['UpdateCommand', 'TransactWriteCommand']);
  expect(run).toMatchObject({ credits_at_most: 20 });
  const { slots, credits_free } = await readCounters(by.workspace.workspace_id);
  expect(slots).toMatchObject({ [run.id]: { held: 20 } });
  expect(credits_free).toBe(80);
});

test.each([
  ['slots', { limit: 1, credits: undefined }, 'concurrent_runs_exceeded'],
  ['credits', { limit: 10, credits: 30 }, 'workspace_cost_cap_exceeded'],
])(
  'a create that counted on %s which are gone is refused, and leaves nothing',
  async (_, { limit, credits }, code) => {
    const fresh = await caller(credits);
    const workspace = { ...fresh.workspace, max_concurrent_runs: limit };
    const by = { ...fresh, workspace };
    const first = await insertRun(draftOf(by), pricing);
    await expect(insertRun(draftOf(by), pricing)).rejects.toMatchObject({ code });
    expect(await inFlight(by)).toEqual([first.run.id]);
  },
);

test('a create whose copy already has the slot takes that one', async () => {
  const by = await caller(100);
  const workspace_id = by.workspace.workspace_id;
  const idempotency = { workspace_id, endpoint: 'runs', key: newId(), body_hash: 'hash' } as const;
  await claimSlot(workspace_id, runIdOf(idempotency), 10, 20);
  const { run } = await insertRun({ ...draftOf(by), idempotency }, pricing);
  const { slots, credits_free } = await readCounters(workspace_id);
  expect(Object.keys(slots)).toEqual([run.id]);
  expect(credits_free).toBe(80);
});
