// rules.md: jobs 6, 9, 14. A page that comes while a job is being completed is in its count, even in the same
// millisecond; a heartbeat that comes while it is being replaced counts.
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#platform/ids.ts';
import { addPage } from '#store/runs/job-pages.ts';
import * as jobs from '#store/runs/jobs.ts';
import { ConditionFailed, transact } from '#store/table/table.ts';
import { keepObjects } from '../../support/objects.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => void keepObjects());

const NOW = 1_800_000_000_000;
const item = (name: string) => ({
  name,
  fields: {},
  id: undefined,
  type: undefined,
  external_uri: undefined,
});

async function openJob() {
  const key = { workspace_id: newId(), run_id: newId(), position: 0, resume: 0, attempt: 1 };
  await transact([
    jobs.newJobWrite({
      ...{ ...key, kind: 'job', source: 'worker', entity_type: 'thing', step_index: 0, attempts: 3 },
      ...{ created_at: NOW, tell_at: NOW, deadline_at: NOW + 60_000, asked: { json: '{}' } },
    }),
  ]);
  async function read() {
    const job = await jobs.get(key);
    if (!job) throw new Error('the job is gone');
    return job;
  }
  return read;
}

const replaces = (job: jobs.JobRecord) =>
  transact([jobs.overWrite(job, { status: 'replaced', completed_at: NOW }, 'beat_at')]);

const completes = (job: jobs.JobRecord) =>
  transact([
    jobs.overWrite(job, { status: 'completed', completed_at: NOW, items: job.received }, 'received'),
  ]);

test('a job is not completed as it was read before a page came, and is as it is then', async () => {
  const read = await openJob();
  await addPage(await read(), 0, [item('a')], NOW);
  const before = await read();
  await addPage(before, 1, [item('b')], NOW);
  await expect(completes(before)).rejects.toThrow(ConditionFailed);
  await completes(await read());
  expect(await read()).toMatchObject({ status: 'completed', items: 2, pages: { 0: 1, 1: 1 } });
});

test('a heartbeat does not hold up the end of a job', async () => {
  const read = await openJob();
  const before = await read();
  await jobs.beat(before, NOW + 1);
  await completes(before);
  expect(await read()).toMatchObject({ status: 'completed', items: 0 });
});

test('a job whose heartbeat comes as it is replaced stays open', async () => {
  const read = await openJob();
  for (const beat of [1, 2]) {
    const before = await read();
    await jobs.beat(before, NOW + beat);
    await expect(replaces(before)).rejects.toThrow(ConditionFailed);
    expect(await read()).toMatchObject({ status: 'open', beat_at: NOW + beat });
  }
  await replaces(await read());
  expect(await jobs.beat(await read(), NOW + 3)).toBe(false);
});

test('what a job is asked is no weight on the writes of its record', async () => {
  const run = { workspace_id: newId(), run_id: newId() };
  const items = Array.from({ length: 200 }, (_, i) => ({
    id: newId(),
    name: `n${i}`,
    type: 't',
    fields: {},
  }));
  const asked = { title: 'T', instructions: '', query: '', limit: 1, items };
  const packed = await jobs.packAsked(run, asked);
  expect(packed).toEqual({ s3_key: expect.any(String) });
  expect(await jobs.openAsked({ asked: packed })).toEqual(asked);
  expect(await jobs.packAsked(run, { ...asked, items: items.slice(0, 3) })).toEqual({
    gz: expect.any(Uint8Array),
  });
});
