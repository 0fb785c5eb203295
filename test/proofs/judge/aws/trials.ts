// The service's own calls to AWS, one by one, against whatever `AWS_ENDPOINT_URL` names. Each trial says what must come
// out; the outcomes go to the parent process, which compares two services.
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { enqueueAttempt } from '#orchestration/delivery-queue.ts';
import { startExecution, wake } from '#orchestration/executions.ts';
import { enqueueFire } from '#orchestration/fire-queue.ts';
import { enqueueAudit, enqueueCompaction } from '#orchestration/record-queues.ts';
import { optionalEnv } from '#platform/env.ts';
import { newId } from '#platform/ids.ts';
import { seal, unseal } from '#platform/sealed.ts';
import { serviceKey } from '#platform/service-keys.ts';
import * as runs from '#store/runs/runs.ts';
import {
  absentIfGone,
  deleteObject,
  getBytes,
  getObject,
  openObject,
  putBytes,
  putObject,
} from '#store/table/object-store.ts';
import { eraseObjects } from '#store/table/object-versions.ts';
import {
  ConditionFailed,
  getItem,
  queryNewest,
  tableName,
  transact,
  type Write,
} from '#store/table/table.ts';
import { caller, givenRun, logOf } from '../../../support/runs.ts';
import { hostFunctions } from './functions-here.ts';
import { jobTrials, type Trial } from './job-trials.ts';

const key = () => `judge/${newId()}.json`;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const workspace_id = newId();
const run = { workspace_id, run_id: newId() };
const message = { ...run, event_id: `evt_${newId()}`, attempt: 1 };
const prices = { offline: { input: 1, cached_input: 1, output: 4 } };
const put = (pk: string, sk: string, fields: object, condition?: string): Write => ({
  Put: {
    TableName: tableName(),
    Item: { pk, sk, ...fields },
    ...(condition && { ConditionExpression: condition }),
  },
});

const objects: Trial[] = [
  {
    name: 's3: what is saved is read, and replaced',
    expected: ['{"a":"ü"}', '{"a":2}', '{"a":2}'],
    async act() {
      const name = key();
      await putObject(name, json({ a: 'ü' }));
      const first = await getObject(name);
      await putObject(name, json({ a: 2 }));
      return [first, await getObject(name), await text(await openObject(name))];
    },
  },
  {
    name: 's3: bytes are the same bytes',
    expected: true,
    async act() {
      const [name, bytes] = [key(), Buffer.from(randomBytes(100_000))];
      await putBytes(name, bytes);
      return (await getBytes(name))?.equals(bytes);
    },
  },
  {
    name: 's3: an object that does not exist is absent',
    expected: ['absent', 'no bytes'],
    act: async () => [
      (await getObject(key()).catch(absentIfGone)) ?? 'absent',
      (await getBytes(key())) ?? 'no bytes',
    ],
  },
  {
    name: 's3: a deleted object is gone; an erasure leaves nothing under its prefix',
    expected: ['absent', 2, 'absent', 0],
    async act() {
      const prefix = `judge/${newId()}/`;
      const absent = async (name: string) => (await getObject(name).catch(absentIfGone)) ?? 'absent';
      const [deleted, ...others] = [key(), `${prefix}1`, `${prefix}2`];
      for (const name of [deleted, ...others]) await putObject(name, json(1));
      await deleteObject(deleted);
      const before = await absent(deleted);
      return [before, await eraseObjects(prefix), await absent(`${prefix}1`), await eraseObjects(prefix)];
    },
  },
];

const queues: Trial[] = [
  {
    name: 'sqs: messages of every queue, with the longest delay',
    expected: 'sent',
    async act() {
      await enqueueAttempt(message, 0);
      await enqueueAttempt({ ...message, attempt: 2 }, 900);
      await enqueueFire({ workspace_id, monitor_id: newId() }, 900_000);
      await enqueueCompaction(workspace_id);
      await enqueueAudit(workspace_id);
      return 'sent';
    },
  },
  {
    name: 'sqs: a message of more than 1 MiB is refused',
    expected: 'InvalidParameterValue',
    act: () => enqueueAttempt({ ...message, trace_id: 'x'.repeat(1_048_577) }, 0),
  },
  {
    name: 'sqs: a message of 900 KiB is sent',
    expected: undefined,
    act: () => enqueueAttempt({ ...message, trace_id: 'x'.repeat(900 * 1024) }, 0),
  },
  {
    name: 'sqs: a group with a space in its name is refused',
    expected: 'InvalidParameterValue',
    act: () => enqueueCompaction('a b'),
  },
];

const secrets: Trial[] = [
  {
    name: 'kms: a secret is sealed for its owner alone',
    expected: ['secret', 'InvalidCiphertextException'],
    async act() {
      const sealed = await seal('secret', 'key_1');
      return [await unseal(sealed, 'key_1'), await unseal(sealed, 'key_2').catch(nameOf)];
    },
  },
  {
    name: 'kms: a secret that was changed is refused',
    expected: 'InvalidCiphertextException',
    async act() {
      const sealed = Buffer.from(await seal('secret', 'key_1'), 'base64');
      const last = sealed.length - 1;
      sealed.writeUInt8(sealed.readUInt8(last) ^ 1, last);
      return unseal(sealed.toString('base64'), 'key_1');
    },
  },
  {
    name: 'secretsmanager: a key of 32 bytes is derived for each purpose',
    expected: [32, false],
    async act() {
      const [one, other] = [await serviceKey('cursor'), await serviceKey('event-token')];
      return [one.symmetricKeySize, one.equals(other)];
    },
  },
];

const executions: Trial[] = [
  {
    name: 'states: an execution starts, and another input under its name finds it',
    expected: ['started', 'over'],
    async act() {
      const name = newId();
      return [await startExecution(run, name), await startExecution({ ...run, run_id: newId() }, name)];
    },
  },
  {
    name: 'states: a token that no task has wakes nothing',
    expected: false,
    act: () => wake('AAAA'.repeat(200), run),
  },
];

const table: Trial[] = [
  {
    name: 'dynamodb: a transaction whose condition fails writes nothing, and names the action',
    expected: [[1, 1], undefined, { pk: 'T#1', sk: 'b', n: 1 }],
    async act() {
      await transact([put('T#1', 'b', { n: 1 })]);
      const writes = [put('T#1', 'a', { n: 2 }), put('T#1', 'b', { n: 2 }, 'attribute_not_exists(pk)')];
      const failed = await transact(writes).catch((error: unknown) => {
        if (!(error instanceof ConditionFailed)) throw error;
        return [error.index, error.write && writes.indexOf(error.write)];
      });
      return [failed, await getItem({ pk: 'T#1', sk: 'a' }), await getItem({ pk: 'T#1', sk: 'b' })];
    },
  },
  {
    name: 'dynamodb: the newest of a partition come first, page by page',
    expected: [
      ['5', '4'],
      ['3', '2'],
    ],
    async act() {
      await transact([1, 2, 3, 4, 5].map((sk) => put('T#2', String(sk), {})));
      const page = async (before?: string) => (await queryNewest('T#2', 2, before)).map(({ sk }) => sk);
      return [await page(), await page('4')];
    },
  },
  {
    name: 'dynamodb: a run is created once, executed, and has its whole log',
    expected: ['ConditionFailed', 'end', 'succeeded', true],
    async act() {
      const made = await givenRun(await caller(100));
      const of = { workspace_id: made.workspace_id, run_id: made.id };
      const twice = await runs.create(made, [], []).catch(nameOf);
      const setting = {
        max_parallel_calls: 1,
        model_wait_seconds: 0,
        slice_ms: 60_000,
        steps_per_slice: undefined,
      };
      const outcome = await executeSlice(of, {
        ...setting,
        model: offlineModel(),
        prices,
        sourcesFor: (record) => sourcesOf(record, async () => []),
      });
      const after = await runs.get(made.workspace_id, made.id);
      const log = after ? await logOf(after, 0, 1000) : [];
      const isWhole = log.every(({ sequence }, i) => sequence === i + 1) && log.length > 2;
      return [twice, outcome, after?.status, isWhole];
    },
  },
];

const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error));

const port = optionalEnv('FUNCTIONS_PORT');
if (port !== undefined) await hostFunctions(Number(port));
const outcomes = [];
const all = [...objects, ...queues, ...secrets, ...executions, ...table, ...jobTrials];
for (const { name, expected, act } of all) {
  const outcome = await act().catch(nameOf);
  outcomes.push({ name, expected: JSON.stringify(expected), outcome: JSON.stringify(outcome) });
}
process.send?.(outcomes);
process.disconnect?.();
