// rules.md: links 5. A reader who takes nothing is let go; one who takes something from time to time is not.
import { Readable } from 'node:stream';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { urlEvent } from '../../support/gateway-events.ts';
import { type Answer, response } from './lambda-stream.ts';

process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
const { streamed } = await import('#edge/streamed.ts');

type Invoke = (event: APIGatewayProxyEventV2, output: Answer['output'], context: object) => Promise<void>;
const IDLE_MS = 20_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** An invocation whose pieces a reader takes one by one, what it led to, and whether its end was seen. */
function sent(pieces: readonly string[], { idle_ms }: { idle_ms?: number } = { idle_ms: IDLE_MS }) {
  const answer = response(true);
  const seen = { ended: 0, outcome: 'none' };
  const stream = Readable.from(pieces);
  const ended = async () => {
    seen.ended += 1;
  };
  const invoke = streamed(async () => ({ status: 200, stream, idle_ms, ended })) as unknown as Invoke;
  const over = invoke(urlEvent('/'), answer.output, {}).then(
    () => {
      seen.outcome = 'sent';
    },
    (error: Error) => {
      seen.outcome = error.name;
    },
  );
  return { answer, seen, stream, over };
}

const LONG = 'x'.repeat(20_000);

test('who takes nothing is let go, and the connection breaks', async () => {
  const { answer, seen, stream, over } = sent([LONG, LONG, LONG]);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(seen).toEqual({ ended: 0, outcome: 'none' });
  await vi.advanceTimersByTimeAsync(1);
  await over;
  expect(seen).toEqual({ ended: 1, outcome: 'ReaderIdle' });
  expect([answer.output.destroyed, answer.output.writableFinished, stream.destroyed]).toEqual([
    true,
    false,
    true,
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test('who takes a piece in time gets all of it, however long that takes', async () => {
  const { answer, seen, over } = sent([LONG, LONG, LONG]);
  for (let taken = 0; taken < 3; taken += 1) {
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    answer.take();
  }
  await over;
  expect(seen).toEqual({ ended: 1, outcome: 'sent' });
  expect(answer.body).toBe(LONG.repeat(3));
  expect(vi.getTimerCount()).toBe(0);
});

test('a connection that the reader closes ends the reply', async () => {
  const { answer, seen, stream, over } = sent([LONG, LONG]);
  await vi.advanceTimersByTimeAsync(1);
  answer.output.destroy(new Error('closed'));
  await over;
  expect(seen).toEqual({ ended: 1, outcome: 'Error' });
  expect(stream.destroyed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('other replies wait for their reader', async () => {
  const { answer, seen, over } = sent([LONG], {});
  await vi.advanceTimersByTimeAsync(10 * IDLE_MS);
  expect(seen.outcome).toBe('none');
  answer.take();
  await over;
  expect(seen).toEqual({ ended: 1, outcome: 'sent' });
});
