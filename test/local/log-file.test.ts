// The log files of the functions.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../lib/local/files/log-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const fileOf = (name: string) => join(folder, `${name}.log`);
const textOf = (file: string) => readFileSync(file, 'utf8');

test('what is written at once and one after the other is there in its order', async () => {
  const file = fileOf('order');
  const log = createLog(file);
  for (const line of ['a', 'b', 'c']) log.write(line);
  await log.flushed();
  log.write(Buffer.from('d'));
  await log.flushed();
  expect(textOf(file)).toBe('abcd');
});

test('a log appends to existing content, and counts it', async () => {
  const file = fileOf('behind');
  appendFileSync(file, '12345');
  const log = createLog(file, 8);
  log.write('678');
  await log.flushed();
  expect(textOf(file)).toBe('12345678');
  log.write('9');
  await log.flushed();
  expect([textOf(`${file}.1`), textOf(file)]).toEqual(['12345678', '9']);
});

test('a full file takes the place of the one before, and nothing is lost between them', async () => {
  const file = fileOf('full');
  const log = createLog(file, 4);
  for (const chunk of ['aaa', 'bbb', 'ccc']) {
    log.write(chunk);
    await log.flushed();
  }
  expect([textOf(`${file}.1`), textOf(file)]).toEqual(['bbb', 'ccc']);
});

test('a log that cannot be written loses lines, but not those after the trouble', async () => {
  const file = join(folder, 'later', 'a.log');
  const log = createLog(file, 4);
  log.write('lost');
  await log.flushed();
  mkdirSync(join(folder, 'later'));
  log.write('kept');
  await log.flushed();
  expect(textOf(file)).toBe('kept');
  mkdirSync(`${file}.1`);
  log.write('lost too, for the full file cannot be renamed');
  await log.flushed();
  rmSync(`${file}.1`, { recursive: true });
  log.write('next');
  await log.flushed();
  expect(textOf(file)).toBe('next');
});

test('lines after a pause go to a new file when the old one was moved', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const file = fileOf('moved');
  const log = createLog(file);
  log.write('old');
  await log.flushed();
  renameSync(file, `${file}.moved`);
  vi.advanceTimersByTime(1_000);
  await log.flushed();
  expect(existsSync(file)).toBe(false);
  log.write('new');
  await log.flushed();
  expect([textOf(`${file}.moved`), textOf(file)]).toEqual(['old', 'new']);
});
