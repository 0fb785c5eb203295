// Whatever a service sends, in any field, cannot control the terminal or forge a line.
import { expect, test } from 'vitest';
import { liveDrawing } from '../../clients/cli/progress/live-steps.ts';
import { createdEnvelope } from '../support/run-envelope.ts';
import { answering, runs } from './terminal.ts';

const home = { key: 'sk_of_nobody', access: { base_url: 'http://127.0.0.1:9/api/v1', site_url: '' } };
/** The word after the break would start a new line. */
const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u200f\u061c\u2067\ufeff\r\nFORGED';
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

/** The value with every text in it hostile. */
function hostile(value: unknown): unknown {
  if (typeof value === 'string') return HOSTILE;
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostile(member)]));
}

const step = { index: 0, kind: 'x', title: 'x', status: 'x', items_out: 1, duration_ms: 1 };
const run = {
  ...createdEnvelope,
  ...{ id: 'x', api_version: 'x', created_at: 1, started_at: 1, completed_at: 2, workspace_id: 'x' },
  input: { input_type: 'x', params: { entity: { id: 'x' } } },
  input_type: 'x',
  title: 'x',
  steps: [step],
  artifacts: [{ id: 'x', kind: 'x', title: 'x', row_count: 1 }],
  warnings: [{ code: 'x', message: 'x' }],
  errors: [{ code: 'x', type: 'x', message: 'x', doc_url: 'x' }],
  rerun_of: { run_id: 'x', step_index: 0 },
  request_id: 'x',
};
const record = { entity_id: 'x', entity_type: 'x', entity_name: 'x', external_uri: 'x' };
const list = (...data: object[]) => ({ object: 'list', data, has_more: false, next_cursor: null });
const attempt = { at: 1, error: 'x', duration_ms: 1 };
const delivery = { event_id: 'x', event_type: 'x', url: 'x', status: 'x', attempts: [attempt] };
const me = {
  ...{ key_id: 'x', name: 'x', scopes: ['x'], expires_at: null, cost_today_usd: 0 },
  daily_cost_limit_usd: null,
  model: { name: 'x', simulated: true, available: true },
  workspace: { id: 'x', name: 'x', tier: 'x', features: ['x'], credits_left: null },
};
const check = { steps: [{ ...step, credits: 1 }], credits_at_most: 1 };
const card = {
  ...{ id: 'x', object: 'artifact', title: 'x', run_id: 'x', created_at: 1 },
  content: {
    entity: { id: 'x', name: 'x', type: 'x' },
    summary: 'x',
    attributes: [{ key: 'x', label: 'x', value: 'x' }],
    relationships: [
      { entity_id: 'x', name: 'x', type: 'x', relationship_type: 'x', direction: 'in', role: null },
    ],
    recent_activity: [{ at: 1, text: 'x' }],
    as_of: 1,
  },
};
const unresolved = { ref: { id: 'x' }, resolved: false, error: { code: 'x', message: 'x' } };

/** Fails with what a terminal would show, unless it is harmless. */
function expectHarmless(shown: string): void {
  expect(shown).toContain('FORGED');
  expect(shown).not.toMatch(STEERING);
  expect(shown).not.toMatch(/^FORGED/m);
}

const ID = '01a1fef7-b719-7ed6-a718-8589119636a6';
test.each<[string[], object]>([
  [['get', ID], run],
  [['create', '-q', 'x'], run],
  [['create', '-q', 'x', '--dry-run'], check],
  [['cancel', ID], run],
  [['resume', ID], run],
  [['rerun', ID, '--step', '0'], run],
  [['list'], list(run)],
  [['whoami'], me],
  [['entity', 'search', 'x'], list(record)],
  [['entity', 'resolve', ID], { results: [{ ...unresolved, ...record, resolved: true }] }],
  [['entity', 'resolve', ID], { results: [unresolved] }],
  [['webhooks', 'list', ID], list(delivery)],
  [['webhooks', 'redeliver', ID, ID], delivery],
  [['artifact', '--run', ID], run],
])('%j shows what a hostile service sends without harm, as text and as JSON', async (args, reply) => {
  const fetch = answering(200, Object(hostile(reply)));
  const { out, err } = await runs(args, { home, fetch });
  expectHarmless(out + err);
  const json = await runs([...args, '--json'], { home, fetch });
  expect(json.out + json.err).not.toMatch(STEERING);
  expect(JSON.stringify(JSON.parse(json.out))).toContain('FORGED');
});

test('a hostile card on a terminal', async () => {
  const fetch = answering(200, { ...Object(hostile(card)), kind: 'entity_card' });
  const { out } = await runs(['artifact', ID], { home, fetch, tty: true });
  expectHarmless(out);
});

test.each([400, 401, 404, 409])('a hostile error %i', async (status) => {
  const error = {
    code: 'x',
    type: 'x',
    message: 'x',
    doc_url: 'x',
    request_id: 'x',
    param: 'x',
    details: {},
  };
  const fetch = answering(status, { error: Object(hostile(error)) });
  const { err } = await runs(['get', ID], { home, fetch });
  expectHarmless(err);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});

test('the live progress of a hostile run has no signs but those of the drawing', () => {
  let shown = '';
  const output = { write: (text: string) => (shown += text), isTTY: true, columns: 120, rows: 24 };
  const drawing = liveDrawing(
    output,
    (_style, text) => text,
    () => 0,
  );
  const error = { code: 'internal_error', type: 'internal', message: HOSTILE, doc_url: HOSTILE } as const;
  for (const status of ['running', 'failed'] as const)
    drawing.show({ status, steps: [{ index: 0, kind: 'fetch', title: HOSTILE, status, attempt: 1, error }] });
  drawing.end();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the moves of the cursor between two drawings
  expectHarmless(shown.replace(/\r\u001b\[\d+A\u001b\[0J/g, ''));
});
