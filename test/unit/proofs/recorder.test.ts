// What a history has of each request: what its client asked, and what the answer lets it conclude.
import { expect, test } from 'vitest';
import type { Asked } from '../../proofs/ask.ts';
import { createRecorder, type Operation } from '../../proofs/living/checkers/recorder.ts';
import type { HttpReply } from '../../support/service.ts';

const envelope = { id: 'r', status: 'running', steps: [{ status: 'completed' }, { status: 'pending' }] };

const done = { status: 200, headers: new Headers(), body: envelope };

/** What is recorded of a request that is answered so, or not at all. */
async function recorded(
  asked: Asked,
  answered: Partial<HttpReply> | Error,
): Promise<Partial<Operation> | undefined> {
  const { watch, operations } = createRecorder();
  await watch(asked, async () => {
    if (answered instanceof Error) throw answered;
    return { ...done, ...answered };
  }).catch(() => {});
  return operations[0];
}

const get = { method: 'GET', path: '/runs/r' };
const refusal = (code: string, details = {}) => ({ error: { code, details } });

test('an answer is what its client saw of the run', async () => {
  const metadata = { key: 'k' };
  expect(await recorded(get, { body: { ...envelope, metadata } })).toMatchObject({
    ...{ kind: 'get', run: 'r', outcome: 'ok' },
    seen: [{ run: 'r', key: 'create k', status: 'running', done: 1 }],
  });
  // A rerun has the metadata of its source.
  expect(await recorded(get, { body: { ...envelope, metadata, rerun_of: {} } })).toMatchObject({
    seen: [{ key: '' }],
  });
});

test('a refusal changed nothing, and says what it found', async () => {
  const body = refusal('run_not_resumable', { status: 'running', reason: 'in_progress' });
  expect(await recorded({ method: 'POST', path: '/runs/r/resume' }, { status: 409, body })).toMatchObject({
    ...{ kind: 'resume', outcome: 'fail', code: 'run_not_resumable' },
    ...{ found: 'running', reason: 'in_progress' },
  });
});

test('without an answer, and with a 5xx, a request may have been carried out', async () => {
  const create = { method: 'POST', path: '/runs', body: {}, idempotency_key: 'k' };
  const lost = new TypeError('fetch failed', { cause: new Error('socket hang up') });
  for (const answer of [lost, { status: 500, body: refusal('internal_error') }])
    expect(await recorded(create, answer)).toMatchObject({ key: 'create k', outcome: 'unknown' });
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  expect(await recorded(create, new TypeError('fetch failed', { cause: refused }))).toBeUndefined();
});

test('only reads that promise what was acknowledged are recorded, and only if they show all of it', async () => {
  const page = { object: 'list', data: [], has_more: true };
  for (const path of ['/runs/r/events?keep-open=1', '/runs/r/events?cursor=c', '/runs?status=failed', '/me'])
    expect(await recorded({ method: 'GET', path }, { body: { ...page, has_more: false } })).toBeUndefined();
  for (const path of ['/runs', '/runs/r/events'])
    expect(await recorded({ method: 'GET', path }, { body: page })).toBeUndefined();
  expect(await recorded({ method: 'GET', path: '/runs/r/trace' }, {})).toBeUndefined();
});

test('a message about a job is of its run, and says whether it ended the job', async () => {
  const run = '01935e5e-0000-7000-8000-000000000001';
  const complete = { method: 'POST', path: `/jobs/${run}-0-0-1/complete`, body: {} };
  expect(await recorded(complete, { body: { accepted: true } })).toMatchObject({
    ...{ kind: 'job complete', run, job: `${run}-0-0-1`, outcome: 'ok', accepted: true },
  });
  const over = refusal('job_over', { status: 'replaced' });
  expect(await recorded(complete, { status: 409, body: over })).toMatchObject({
    ...{ outcome: 'fail', code: 'job_over', found: 'replaced' },
  });
  expect(
    await recorded({ method: 'GET', path: `/jobs/${run}-0-0-1` }, { body: { status: 'open' } }),
  ).toMatchObject({ kind: 'job get', found: 'open' });
});

test('requests at once are of different clients, and each has a call before its return', async () => {
  const { watch, operations } = createRecorder();
  const send = async () => done;
  await Promise.all([watch(get, send), watch(get, send)]);
  await watch(get, send);
  expect(operations.map(({ client }) => client).sort()).toEqual([0, 0, 1]);
  for (const one of operations) expect(one.return).toBeGreaterThanOrEqual(one.call);
});
