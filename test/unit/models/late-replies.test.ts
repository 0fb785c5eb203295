// rules.md: usage 6. A reply that comes too late to be used still counts, as long as it is awaited.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHAT_BYTES, meteredFetch } from '../../../functions/models/ai-sdk/metered-fetch.ts';
import type { TokenUsage } from '../../../functions/models/model.ts';

const http = createServer((_, response) => void arrived.resolve(response));
let arrived: PromiseWithResolvers<ServerResponse>;
let url: string;
beforeAll(async () => {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  http.closeAllConnections();
  http.close();
});
beforeEach(() => {
  arrived = Promise.withResolvers();
});

const reply = JSON.stringify({ usage: { prompt_tokens: 10, completion_tokens: 2 } });

/** A request whose caller waits until `caller` is aborted, and whose reply is awaited until `late` is. */
function request(caller: AbortController, late: AbortController) {
  const counted: (TokenUsage | null)[] = [];
  const requests: Promise<unknown>[] = [];
  const wire = meteredFetch(
    { model: 'test', key: undefined },
    {
      onReply: (usage) => void counted.push(usage),
      late: { signal: late.signal, onRequest: (one) => void requests.push(one) },
    },
    CHAT_BYTES,
  );
  return { counted, requests, reply: wire.fetch(url, { signal: caller.signal }) };
}

test('the caller is free at its signal, and the reply counts when it comes', async () => {
  const caller = new AbortController();
  const { reply: waited, requests, counted } = request(caller, new AbortController());
  const response = await arrived.promise;
  caller.abort(new Error('too late'));
  await expect(waited).rejects.toThrow('too late');
  expect(counted).toEqual([]);
  response.end(reply);
  await Promise.all(requests);
  expect(counted).toMatchObject([{ input_tokens: 10, output_tokens: 2 }]);
});

test('a request without a reply ends when it is no longer awaited', async () => {
  const [caller, late] = [new AbortController(), new AbortController()];
  const { reply: waited, requests, counted } = request(caller, late);
  await arrived.promise;
  caller.abort(new Error('too late'));
  await expect(waited).rejects.toThrow('too late');
  late.abort(new Error('gone'));
  await expect(Promise.all(requests)).rejects.toThrow('The model timed out');
  expect(counted).toEqual([]);
});

test('after its signal, a caller sends no request', async () => {
  const caller = new AbortController();
  caller.abort(new Error('too late'));
  const { reply: waited, requests } = request(caller, new AbortController());
  await expect(waited).rejects.toThrow('too late');
  expect(requests).toEqual([]);
});
