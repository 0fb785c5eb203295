// On a shared thread, long bodies are written and read in pieces.
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepObjects } from '../../support/objects.ts';

vi.mock('#platform/json.ts', () => import('../../../lib/local/shared-thread/json.ts'));
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'k', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'us-east-1' });
const { openPacked, pack, unpack } = await import('#store/table/packed.ts');

test('a long list is written and read piece by piece', async () => {
  const objects = keepObjects();
  onTestFinished(() => void vi.unstubAllGlobals());
  const value = { kind: 'table', rows: Array.from({ length: 20_000 }, (_, i) => ({ name: `row ${i}` })) };
  const whole = JSON.stringify(value).length;
  const [stringify, parse] = [vi.spyOn(JSON, 'stringify'), vi.spyOn(JSON, 'parse')];
  onTestFinished(() => void vi.restoreAllMocks());
  const packed = await pack(value, 'rows.json');
  const read = await unpack(packed, (body) => body);
  const pieces = [
    ...stringify.mock.results.map(({ value: text }) => String(text)),
    ...parse.mock.calls.map(([text]) => text),
  ];
  expect(objects).toHaveLength(1);
  expect(read).toEqual(value);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(whole / 10);
});

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
  expect(parse).not.toHaveBeenCalled();
});
