// Hostile values: what clients, proxies and attackers send by mistake or on purpose.
import type { Random } from '../random.ts';

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Texts that break parsers, stores and headers. */
export const strings: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\r\nX-Injected: 1',
  '../../etc/passwd',
  '%00',
  '%',
  '%ff%fe',
  '{{constructor}}',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  'NaN',
  'null',
  'undefined',
  '9'.repeat(400),
  'a'.repeat(4001),
  '\u202e\u200b\ufeff',
  '🙂'.repeat(300),
  'https://169.254.169.254/latest/meta-data/',
  'https://user:pw@example.com/',
  'https://[::ffff:127.0.0.1]/',
  '00000000-0000-0000-0000-000000000000',
  '[[fail]]',
  '[[ambiguous]]',
  '[[transient:1]]',
];

/** Values of every JSON kind at their edges. */
const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  -0,
  1e21,
  2 ** 53 + 2,
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { id: 1 },
  { toString: 1 },
  { constructor: { prototype: {} } },
];

/** JSON texts that no value of ours would print as. */
const rawTexts: readonly string[] = [
  '',
  '{',
  '}',
  '[1,',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  '1e400',
  '{"input_type":"query","query":1e400}',
  '{"__proto__":{"x":1}}',
  '{"input_type":"plan","plan":{"title":"t","steps":[{"kind":"fetch","title":"t","params":{"__proto__":{}}}]}}',
  '{"input_type":"plan","plan":{"title":"t","steps":[{"kind":"fetch","title":"t","params":{"limit":12345678901234567890}}]}}',
  '{"input_type":"query","query":"\\ud800"}',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  'null',
  '"x"',
  '42',
  deep('[', ']', 65),
  deep('[', ']', 100_000),
  deep('{"a":', '}', 5_000),
  `{"input_type":"query","query":"${'q'.repeat(4001)}"}`,
  `{"input_type":"query","query":"${'é'.repeat(600_000)}"}`,
  `"${'x'.repeat(1_048_574)}"`,
  `"${'x'.repeat(1_048_575)}"`,
];

const rawBytes: readonly Buffer[] = [
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from([0x1f, 0x8b, 8, 0, 0]),
  Buffer.alloc(3000, 0),
];

/** A body that is hostile as a whole. */
export function hostileBody(random: Random): string | Buffer {
  return random.chance(0.8) ? random.pick(rawTexts) : random.pick(rawBytes);
}

/** A hostile value instead of a valid one. */
export function hostileValue(random: Random): unknown {
  return random.chance(0.5) ? random.pick(strings) : random.pick(values);
}

/** The value with one change: a hostile value, an extra field, a missing field, or a repetition. */
export function mutated(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return mutatedArray(random, value);
  if (typeof value !== 'object' || value === null) return hostileValue(random);
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15))
    return { ...value, [random.pick(strings)]: hostileValue(random) };
  const at = random.below(entries.length);
  if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, i) => i !== at));
  return Object.fromEntries(
    entries.map(([name, member], i) => [name, i === at ? mutated(random, member) : member]),
  );
}

function mutatedArray(random: Random, value: unknown[]): unknown {
  if (value.length === 0 || random.chance(0.15)) return hostileValue(random);
  const at = random.below(value.length);
  if (random.chance(0.15)) return [...value, ...Array.from({ length: 60 }, () => value[at])];
  return value.with(at, mutated(random, value[at]));
}

/** Header values that Node's client agrees to send. */
export const headerValues: readonly string[] = [
  '',
  ' ',
  'x',
  'a'.repeat(129),
  'a'.repeat(9000),
  'a'.repeat(11_000),
  'é\u00ff',
  'a,b',
  '"quoted"',
  'Bearer',
  'Bearer ',
  'Bearer a b',
  'Basic eDp5',
  'bearer sk_x',
  `Bearer sk_${'0'.repeat(32)}_${'a'.repeat(100)}`,
  'application/xml',
  'application/json; charset=utf-16',
  'text/plain',
  'gzip',
  '-1',
];

/** Names of headers that something on the way reads. */
export const headerNames: readonly string[] = [
  'X-Request-Id',
  'Idempotency-Key',
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Accept',
  'Accept-Encoding',
  'Last-Event-ID',
  'X-Webhook-Signature',
  'X-Webhook-Timestamp',
  'X-HTTP-Method-Override',
  'X-Forwarded-For',
  'Cookie',
  'Range',
  'If-None-Match',
];

/** Paths, as sent, that a router may trip over. */
export const paths: readonly string[] = [
  '/',
  '//',
  '/api',
  '/api/',
  '/api/v1',
  '/api/v1/',
  '/api/v1/runs/',
  '/api/v1//runs',
  '/api/v1/runs/%00',
  '/api/v1/runs/%',
  '/api/v1/runs/%zz/events',
  '/api/v1/runs/..%2f..%2fdocs',
  '/api/v1/runs/../../docs',
  '/api/v1/RUNS',
  '/api/v2/runs',
  '/v1/runs',
  '/api/v1/runs/a/b/c/d/e/f',
  `/api/v1/runs/${'a'.repeat(9000)}`,
  `/api/v1/runs/${'%41'.repeat(200)}`,
  '/api/v1/runs/{id}',
  '/api/v1/runs;jsessionid=1',
  '/api/webhooks/sync',
  '/api/webhooks/sync/',
  '/api/docs/..%2f',
  '/api/docs/__proto__',
  '/docs/constructor',
  '/favicon.ico',
  '/.git/config',
  '/function-url/Stream/',
  '/function-url/Stream/api/v1/runs/x/events/stream?__proto__=1&constructor=2',
  '/function-url/Start/',
  '/function-url/',
];

/** Unknown query strings. */
export const queries: readonly string[] = [
  '?',
  '?&&&',
  '?=',
  '?%',
  '?%zz=1',
  '?a=%ff',
  '?__proto__=1&constructor=2&toString=3',
  '?limit=1&limit=2',
  '?limit=0',
  '?limit=1e3',
  '?limit=%00',
  '?limit=9999999999999999999999',
  '?cursor=',
  '?cursor=AAAA',
  `?cursor=${'A'.repeat(5000)}`,
  '?cursor=%ED%A0%80',
  '?keep-open=2',
  '?keep-open=1&keep-open=0',
  '?include=everything',
  '?refs=',
  '?refs=%5B',
  '?refs=null',
  '?refs=%7B%7D',
  '?refs=%5B%7B%22id%22%3A1e400%7D%5D',
  '?refs=%5B%7B%22__proto__%22%3A1%7D%5D',
  `?refs=${encodeURIComponent(deep('[', ']', 500))}`,
  `?refs=${encodeURIComponent('[{"external_uri":"\\ud800:x"}]')}`,
  `?refs=${encodeURIComponent(JSON.stringify(Array.from({ length: 101 }, () => ({ external_uri: 'a:b' }))))}`,
  `?refs=${encodeURIComponent('[{"external_id":"\\u0000","source":"custom"}]')}`,
  '?status=done',
  '?event_token=',
  '?event_token=AAAA&last_event_id=x',
  `?event_token=${'A'.repeat(3000)}`,
];
