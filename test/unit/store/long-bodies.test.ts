// Long bodies are sent on as they arrive.
import { expect, onTestFinished, test, vi } from 'vitest';

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'k',
  AWS_SECRET_ACCESS_KEY: 's',
  AWS_REGION: 'us-east-1',
  BUCKET_NAME: 'bucket',
});
const { openPacked } = await import('#store/table/packed.ts');

test('a long body is sent on before the bucket has sent all of it, and is not parsed', async () => {
  const { readable, writable } = new TransformStream<Uint8Array>();
  vi.stubGlobal('fetch', async () => new Response(readable));
  onTestFinished(() => void vi.unstubAllGlobals());
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const pieces = (await openPacked({ s3_key: 'rows.json' }))[Symbol.asyncIterator]();
  const bucket = writable.getWriter();
  void bucket.write(Buffer.from('{"rows":['));
  expect(String((await pieces.next()).value)).toBe('{"rows":[');
  void bucket.write(Buffer.from(']}'));
  expect(String((await pieces.next()).value)).toBe(']}');
  void bucket.close();
  expect(await pieces.next()).toMatchObject({ done: true });
  expect(parse.mock.calls.filter(([text]) => text.includes('rows'))).toEqual([]);
});
