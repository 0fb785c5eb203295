// rules.md: usage 8. Whatever fails after a reply came in, its cost is on the run, the key and the day, and the next try
// of the step does not ask the model again.
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#domain/access/authenticate.ts';
import { executeSlice, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { spentToday } from '#store/money/costs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { readDay } from '#store/workspaces/day-limits.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { modelOf } from '../../support/model-of.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
let asked = 0;
useTable();
beforeEach(async () => {
  replaceStateMachine();
  by = await caller(1000);
  asked = 0;
});

/** A million tokens, so one USD a reply. */
const usage = {
  input_tokens: 1_000_000,
  cached_input_tokens: 0,
  output_tokens: 0,
  thinking_tokens: 0,
};

/** A model whose answer to an analysis is as given. */
function settingWith(
  findings: unknown,
  during: () => Promise<unknown> = async () => undefined,
): SliceSetting {
  return sliceSetting({
    model: modelOf(async (_task, _input, _context, { onReply }) => {
      asked += 1;
      onReply(usage);
      await during();
      return Object({ findings });
    }),
  });
}

const placeOf = ({ workspace_id, id: run_id }: RunRecord) => ({ workspace_id, run_id });

/** Fails the next commit of a step `times` times, before or after it takes effect. */
function failCommit(error: Error, { times = 1, after = false } = {}): void {
  let left = times;
  const restore = aroundTable(async ({ name, input }, carryOut) => {
    const isCommit =
      name === 'TransactWriteCommand' && inspect(input, { depth: 9 }).includes('step.completed');
    if (!isCommit || left === 0) return carryOut();
    left -= 1;
    if (after) await carryOut();
    throw error;
  });
  onTestFinished(restore);
}

const trouble = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });

/** Tries the task until it does not fail, as the state machine does. */
async function execute(run: RunRecord, setting: SliceSetting): Promise<void> {
  for (let tries = 1; tries <= 3; tries += 1) {
    try {
      await executeSlice(placeOf(run), setting);
      return;
    } catch {}
  }
  await failRun(placeOf(run), 'gave up');
}

/** Expects what the model was asked, on the run, its key and its day. */
async function expectCounted(run: RunRecord, calls: number): Promise<RunRecord | undefined> {
  const { workspace_id, id, key_id } = run;
  const ended = await runs.get(workspace_id, id);
  const usd = BigInt(calls) * 1_000_000_000_000n;
  expect(asked).toBe(calls);
  expect(ended?.spent).toMatchObject({ calls, cost_pico_usd: String(usd) });
  expect(await spentToday(workspace_id, Date.now())).toBe(usd);
  expect((await readDay({ workspace_id, key_id }, Date.now()))?.spent).toEqual({ workspace: usd, key: usd });
  return ended;
}

test.each<[string, () => void]>([
  ['is lost before it takes effect', () => failCommit(trouble('TimeoutError'))],
  ['is lost after it took effect', () => failCommit(trouble('TimeoutError'), { after: true })],
  [
    'meets a service in trouble, for long',
    () => failCommit(trouble('InternalServerError', 500), { times: 2 }),
  ],
  ['cannot be sent', () => failCommit(new Error('this value has no form in the table'))],
])('a commit that %s is made again without asking the model', async (_, fail) => {
  const run = await givenRun(by);
  fail();
  await execute(run, settingWith('Three stand out.'));
  expect(await expectCounted(run, 1)).toMatchObject({ status: 'succeeded', message: 'Three stand out.' });
});

test('a commit that the table refuses fails the step, and counts its call', async () => {
  const run = await givenRun(by);
  failCommit(trouble('ValidationException', 400));
  await execute(run, settingWith('Three stand out.'));
  expect(await expectCounted(run, 1)).toMatchObject({
    status: 'failed',
    errors: [{ code: 'payload_too_large' }],
  });
});

test('a commit that never succeeds ends the run, and its call is counted', async () => {
  const run = await givenRun(by);
  failCommit(new Error('this value has no form in the table'), { times: 100 });
  await execute(run, settingWith('Three stand out.'));
  expect(await expectCounted(run, 1)).toMatchObject({ status: 'failed' });
});

test.each([
  ['that is not what the step expects', 7],
  ['that cannot be written as JSON', 10n],
])('an output %s fails the step, and its call is counted', async (_, findings) => {
  const run = await givenRun(by);
  await execute(run, settingWith(findings));
  expect(await expectCounted(run, 1)).toMatchObject({ status: 'failed' });
});

test('a call of an invocation that lost the run while it was made is counted along with its successor’s', async () => {
  const run = await givenRun(by);
  const successor = settingWith('The successor says so.');
  let taken = false;
  const setting = settingWith('Nobody reads this.', async () => {
    if (taken) return;
    taken = true;
    await execute(run, successor);
  });
  await execute(run, setting);
  expect(await expectCounted(run, 2)).toMatchObject({
    status: 'succeeded',
    message: 'The successor says so.',
  });
});
