// rules.md: stream 8. The streams that a key has open: at most a hundred, whatever becomes of them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import { limitStream } from '#domain/events/limit-streams.ts';
import { newId } from '#platform/ids.ts';
import { useTable } from '../support/table.ts';

const MINUTE = 60_000;
const { streams_per_key_max } = limits;
useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

async function* twoPieces(): AsyncGenerator<string> {
  yield 'one';
  yield 'two';
}

async function piecesOf(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

const newReader = () => ({ workspace_id: newId(), key_id: newId() });
type Reader = ReturnType<typeof newReader>;
const open = (reader: Reader, stream = twoPieces()) => limitStream(reader, stream, MINUTE);
const openAll = (reader: Reader) =>
  Promise.all(Array.from({ length: streams_per_key_max }, () => open(reader)));
const refused = { code: 'rate_limit_exceeded' };

test('a stream beyond the ceiling is refused until one has ended; another key has its own', async () => {
  const reader = newReader();
  const [first = twoPieces()] = await openAll(reader);
  await expect(open(reader)).rejects.toMatchObject(refused);
  await expect(open(reader)).rejects.toMatchObject(refused);
  await open({ ...reader, key_id: newId() });
  expect(await piecesOf(first)).toEqual(['one', 'two']);
  await open(reader);
  await expect(open(reader)).rejects.toMatchObject(refused);
});

test('a stream that breaks counts no longer', async () => {
  const reader = newReader();
  const breaking = (async function* (): AsyncGenerator<string> {
    yield 'one';
    throw new Error('broken');
  })();
  const stream = await open(reader, breaking);
  await expect(piecesOf(stream)).rejects.toThrow('broken');
  await openAll(reader);
});

test('streams whose process has died count until their time has passed', async () => {
  const reader = newReader();
  await openAll(reader);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  await expect(open(reader)).rejects.toMatchObject(refused);
  vi.setSystemTime(Date.now() + 1);
  await openAll(reader);
});

test('of streams that open at once no more than the ceiling are let in', async () => {
  const reader = newReader();
  const opened = await Promise.allSettled(
    Array.from({ length: streams_per_key_max + 20 }, () => open(reader)),
  );
  const letIn = opened.filter(({ status }) => status === 'fulfilled').length;
  expect(letIn).toBeLessThanOrEqual(streams_per_key_max);
});
