// A death at any moment at which an index gets objects of its snapshot leaves a file that gets them later.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { applyChanges, type IndexChanges, noChanges } from '#record-index/apply.ts';
import { openFile, openMemory, removeFile } from '#record-index/schema.ts';
import { transaction } from '#record-index/transaction.ts';
import { idOf, questions } from '../../support/index-questions.ts';
import { addingObjects, type Restored, restoredFrom } from '../../support/snapshot-objects.ts';
import { entity } from '../sources/memory-readers.ts';
import type { Task } from './fixture/add-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'crash-in-objects-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FIXTURE = new URL('./fixture/add-objects.ts', import.meta.url);

/** How a process and a thread end that carry out a task; the first message is their answer. */
const lives = {
  async process(task: Task) {
    const child = fork(FIXTURE, { serialization: 'advanced' });
    let steps: number | undefined;
    child.once('message', (answer) => {
      steps = Number(answer);
      child.disconnect();
    });
    child.send(task);
    const [code, signal] = await once(child, 'exit');
    return { steps, end: signal ?? code };
  },
  async thread(task: Task) {
    const thread = new Worker(FIXTURE, { workerData: task });
    let steps: number | undefined;
    thread.once('message', (answer) => {
      steps = Number(answer);
    });
    const [end] = await once(thread, 'exit');
    return { steps, end };
  },
};

function recordsOf(from: number, to: number, name: string): IndexChanges {
  const records = Array.from({ length: to - from }, (_, i) => {
    const fields = { n: i, value: i % 2 === 0 ? `long ${'text '.repeat(30)}` : [i % 7, 'Łódź'] };
    return { entity: { ...entity('company', name, fields), id: idOf(from + i) }, vector: [from + i, 1, 2] };
  });
  return { ...noChanges, records };
}

/** Some that need each part between them. */
const asked = ['relevant', 'searched', 'grouped', 'nearest', 'named', 'links'];

const answersOf = (restored: Restored) =>
  asked.map((name) => addingObjects(restored, (index) => questions[name]?.(index)).result);

/** A restored index, and the answers of one that lacks nothing. */
function makeIndexes(changes: IndexChanges, path: string) {
  const whole = openMemory();
  transaction(whole, () => applyChanges(whole, recordsOf(0, 60, 'Acme')));
  const restored = restoredFrom(whole, path);
  for (const index of [whole, restored.index]) {
    const apply = () => transaction(index, () => applyChanges(index, changes));
    if (index === whole) apply();
    else addingObjects(restored, apply);
  }
  restored.index.close();
  return { restored, answers: answersOf({ ...restored, index: whole }) };
}

const changed = { ...recordsOf(59, 60, 'Beta two'), gone_records: [idOf(4)] };

/** Each step has its process or thread. */
const WITHIN_MS = 180_000;

test.each([
  ['process', 'bodies and look-ups', ['bodies', 'lookups'], noChanges],
  ['process', 'words and vectors, while others wait', ['words', 'vectors'], changed],
  ['thread', 'words and vectors, while others wait', ['words', 'vectors'], changed],
] as const)(
  'a %s that dies while it adds %s leaves nothing wrong',
  async (kind, _, parts, changes) => {
    const { restored, answers } = makeIndexes(changes, join(folder, `${kind} ${parts.join()}.db`));
    const objects = restored.objects.filter(({ part }) => parts.some((one) => one === part));
    const path = `${restored.path}.dying`;
    for (let lastStep = 1, isAlive = false; !isAlive; lastStep += 1) {
      copyFileSync(restored.path, path);
      // Other threads of its process have the file open.
      const before = kind === 'thread' ? openFile(path) : undefined;
      const { steps, end } = await lives[kind]({ path, objects, lastStep });
      isAlive = steps !== undefined;
      if (!isAlive && kind === 'process') expect(end).toBe('SIGKILL');
      const index = before ?? openFile(path);
      expect([lastStep, answersOf({ ...restored, index })]).toEqual([lastStep, answers]);
      expect(index.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      index.close();
      removeFile(path);
      if (isAlive) expect(lastStep).toBeGreaterThan(15);
    }
  },
  WITHIN_MS,
);
