// Makes recorded replies reproducible: ids, times and addresses become fixed ones of the same form.
import { createHash } from 'node:crypto';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TRACE_OR_SPAN_ID = /^[0-9a-f]{16}([0-9a-f]{16})?$/;
const EVENT_ID = /evt_([0-9a-f]{32})/g;
const EXPIRED_ID = /exp_[\w-]{27}/g;
const RECEIVER = /http:\/\/127\.0\.0\.1:\d+\/hook\?x=1/g;
const LINK = /(?<=[?&]link=)[\w-]+/g;
const KEY_ID = /key_[0-9a-f]{32}_[0-9a-f]{16}/g;
const STABLE_KEY = 'key_8ee89711330c4ccf89a2e65ad12bbd7d_0123456789abcdef';
const LAST_ACTIVITY = /(Last activity: )\d{4}-\d{2}-\d{2}/g;
const START = Date.UTC(2026, 10, 20, 12);

/** Fixed values of fields that differ between recordings. */
const fixed: Readonly<Record<string, unknown>> = {
  created_at: START,
  updated_at: START + 1480,
  started_at: START + 40,
  completed_at: START + 1480,
  occurred_at: START + 40,
  expires_at: START + 300_000,
  next_fire_at: START + 61_200_000,
  due_at: START + 60,
  fired_at: START + 60,
  at: START + 1600,
  as_of: START + 1300,
  duration_ms: 120,
  delay_ms: 1584,
  startTimeUnixNano: `${START + 40}000000`,
  endTimeUnixNano: `${START + 1480}000000`,
  event_token: 'eyJydW4iOiIwMWExZmVmNy1iNzE5In0.c2lnbmF0dXJl',
  token: 'eyJqb2IiOiIwMWExZmVmNy1iNzE5In0.c2lnbmF0dXJl',
  key_id: STABLE_KEY,
  successor_of: STABLE_KEY,
  api_key: 'sk_8ee89711330c4ccf89a2e65ad12bbd7d_0123456789abcdef0123456789abcdef01234567',
  last_used_day: '2026-11-20',
  deadline_at: START + 3_600_000,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  day: '2026-11-20',
  p50_ms: 120,
  p95_ms: 480,
  callback_url: 'https://example.com/hook',
};

/** A function that replaces varying values; the same id is replaced consistently. */
export function stabilizer(siteUrl: string): (reply: unknown) => unknown {
  const ids = new Map<string, string>();
  const idOf = (id: string): string => {
    const known = ids.get(id) ?? uuidOf(ids.size);
    ids.set(id, known);
    return known;
  };
  const stableText = (text: string) =>
    text
      .replaceAll(siteUrl, 'http://127.0.0.1:8787')
      .replace(RECEIVER, 'https://example.com/hook')
      .replace(LINK, 'eyJhcnRpZmFjdCI6')
      .replace(TRACE_OR_SPAN_ID, (id) => idOf(id).replaceAll('-', '').slice(0, id.length))
      .replace(EVENT_ID, (_, hex: string) => `evt_${idOf(dashed(hex)).replaceAll('-', '')}`)
      .replace(EXPIRED_ID, 'exp_AAAAA9vvKIpT1JGYzGRaCfGjNPE')
      .replace(KEY_ID, STABLE_KEY)
      .replace(UUID, idOf)
      .replace(LAST_ACTIVITY, `$1${new Date(START).toISOString().slice(0, 10)}`);
  const stableField = (name: string, value: unknown): unknown => {
    if (value !== null && name in fixed) return fixed[name];
    if (name === 'next_cursor' && value !== null) return 'MDAwMDAwMDAwMw.bWFj';
    return stable(value);
  };
  function stable(value: unknown): unknown {
    if (typeof value === 'string') return stableText(value);
    if (Array.isArray(value)) return value.map(stable);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, stableField(name, inner)]));
  }
  return stable;
}

const dashed = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function uuidOf(n: number): string {
  const hex = createHash('sha256').update(`example ${n}`).digest('hex');
  return dashed(`${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17, 32)}`);
}
