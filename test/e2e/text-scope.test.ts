// rules.md: plan 8. Notes and artifacts are read by keys with `artifacts:read`, directly and through runs.
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../functions/contract/scopes.ts';
import * as given from '../support/given.ts';
import { fires, monitor, monitorBody } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const without: Scope[] = ['runs:create', 'runs:read', 'monitors:manage'];
let home: given.Home;
let limited: { key: string };
let written: { note: string; artifact: string };
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  limited = await given.key(home.workspace_id, without);
  const body = { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:acme' } } };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const run = await then.ended(home, id);
  written = { note: run.note_ids[0], artifact: run.artifacts[0].id };
});

const details = { required_scope: 'artifacts:read' };
const steps: [what: string, step: () => Record<string, unknown>][] = [
  ...['notes', 'artifacts', 'NOTES', ' Artifacts '].flatMap((source): typeof steps => [
    [`fetch of ${source}`, () => ({ kind: 'fetch', params: { source } })],
    [`vector_search of ${source}`, () => ({ kind: 'vector_search', params: { source, query: 'x' } })],
  ]),
  ['an injected note', () => ({ kind: 'inject_context', params: { note_ids: [written.note] } })],
  ['an injected artifact', () => ({ kind: 'inject_context', params: { artifact_ids: [written.artifact] } })],
];

describe.each(steps)('%s', (_, step) => {
  test('needs artifacts:read at creation, check, rerun, resume, and in monitors', async () => {
    const plan = when.plan(step(), { kind: 'analyze', instructions: 'Think [[fail]]' });
    const body = { input_type: 'plan', plan };
    const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
    await then.ended(home, id);
    const { key } = limited;
    for (const reply of [
      await call('POST', '/runs', { key, body }),
      await call('POST', '/runs?validate_only=1', { key, body }),
      await call('POST', `/runs/${id}/rerun-from`, { key, body: { step_index: 0 } }),
      await call('POST', `/runs/${id}/resume`, { key }),
      await call('POST', '/monitors', { key, body: monitorBody({ run: body }) }),
    ])
      expectRefusal(reply, 403, 'forbidden_feature', { details });
    expect((await call('POST', `/runs/${id}/resume`, { key: home.key })).status).toBe(202);
    await then.ended(home, id);
  });
});

test('a query of such a key is not planned over notes; with the scope it is', async () => {
  const query = 'List the notes';
  const body = {
    input_type: 'query',
    query,
    config: { strict_mode: false },
    output_schema: {
      type: 'object',
      properties: {
        notes: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
      },
    },
  };
  const sourceOf = async (key: string) => {
    const { id } = (await call('POST', '/runs', { key, body })).body;
    await then.ended(home, id);
    return (await call('GET', `/runs/${id}?include=plan`, { key: home.key })).body.plan.steps[0].params
      .source;
  };
  expect(await sourceOf(home.key)).toBe('notes');
  expect(await sourceOf(limited.key)).not.toBe('notes');
  const strict = await when.createsQueryRun(limited, query);
  expectRefusal(strict, 422, 'query_ambiguous', { param: 'query' });
  expect(strict.body.error.details.words).toContain('notes');
});

test('such a key changes and fires no monitor whose run reads notes', async () => {
  const run = { input_type: 'plan', plan: when.plan({ kind: 'fetch', params: { source: 'notes' } }) };
  const { id } = await monitor(home, { run });
  const renamed = await call('PATCH', `/monitors/${id}`, { key: limited.key, body: { name: 'Mine' } });
  expectRefusal(renamed, 403, 'forbidden_feature', { details });
  expect((await fires(home, id)).body.outcome).toBe('run');
});
