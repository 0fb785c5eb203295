// rules.md: plan. What a plan may contain: bad params, indexes, references and sizes are refused before a run exists.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as when from '../support/when.ts';

const UNKNOWN = '0b2a4c6e-0000-4000-8000-000000000001';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
});

const creates = (...steps: Record<string, unknown>[]) => when.createsPlanRun(home, steps);
const createsPlan = (plan: unknown, config = {}) =>
  call('POST', '/runs', { key: home.key, body: { input_type: 'plan', plan, config } });

describe('steps', () => {
  test('rule 7: 50 steps are accepted, 51 are plan_too_large', async () => {
    const steps = (count: number) => Array.from({ length: count }, () => ({ kind: 'fetch' }));
    expect((await creates(...steps(50))).status).toBe(202);
    expectRefusal(await creates(...steps(51)), 422, 'plan_too_large', {
      param: 'plan.steps',
      details: { max_steps: 50, received: 51 },
    });
  });

  test.each<[string, unknown, string]>([
    ['plan is a list', [], 'plan'],
    ['plan is null', null, 'plan'],
    ['an unknown field', { title: 'T', steps: [{ kind: 'fetch', title: 'A' }], owner: 'me' }, 'plan.owner'],
    ['no steps at all', { title: 'T', steps: [] }, 'plan.steps'],
    ['steps are an object', { title: 'T', steps: {} }, 'plan.steps'],
    ['a step is text', { title: 'T', steps: ['fetch'] }, 'plan.steps.0'],
    ['title is empty', { title: '', steps: [{ kind: 'fetch', title: 'A' }] }, 'plan.title'],
    ['title of 201', { title: '😀'.repeat(201), steps: [{ kind: 'fetch', title: 'A' }] }, 'plan.title'],
  ])('refused: %s', async (_rule, plan, param) => {
    expectRefusal(await createsPlan(plan), 422, 'schema_validation_failed', { param });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown kind', { kind: 'drop' }, 'plan.steps.0.kind'],
    ['a kind that is no text', { kind: 7 }, 'plan.steps.0.kind'],
    ['an unknown field', { kind: 'fetch', colour: 1 }, 'plan.steps.0.colour'],
    ['a title of 201', { kind: 'fetch', title: 'x'.repeat(201) }, 'plan.steps.0.title'],
    ['an empty title', { kind: 'fetch', title: '' }, 'plan.steps.0.title'],
    ['a description of 1001', { kind: 'fetch', description: 'x'.repeat(1001) }, 'plan.steps.0.description'],
    [
      'instructions of 8001',
      { kind: 'analyze', instructions: 'x'.repeat(8001) },
      'plan.steps.0.instructions',
    ],
    ['instructions that are a list', { kind: 'analyze', instructions: [] }, 'plan.steps.0.instructions'],
    ['empty instructions of a filter', { kind: 'filter', instructions: '' }, 'plan.steps.0.instructions'],
    ['params that are a list', { kind: 'fetch', params: [] }, 'plan.steps.0.params'],
    ['params null', { kind: 'fetch', params: null }, 'plan.steps.0.params'],
    ['an index of -1', { kind: 'fetch', index: -1 }, 'plan.steps.0.index'],
    ['an index of 0.5', { kind: 'fetch', index: 0.5 }, 'plan.steps.0.index'],
    ['an index beyond 2^53', { kind: 'fetch', index: 1e19 }, 'plan.steps.0.index'],
  ])('refused: a step with %s', async (_rule, step, param) => {
    expectRefusal(await creates(step), 422, 'schema_validation_failed', { param });
  });

  test('an issue on an unknown kind names the kinds there are', async () => {
    const [issue] = (await creates({ kind: 'drop' })).body.error.details.issues;
    expect(issue).toMatchObject({ path: ['plan', 'steps', 0, 'kind'], received: '"drop"' });
    expect(issue.expected).toContain('"vector_search"');
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['kind', { instructions: 'x' }, 'plan.steps.1.kind'],
    ['title', { kind: 'fetch', title: undefined }, 'plan.steps.1.title'],
    ['instructions of a filter (rule 5)', { kind: 'filter' }, 'plan.steps.1.instructions'],
  ])('missing_required_field: %s', async (_rule, step, param) => {
    expectRefusal(await creates({ kind: 'fetch' }, step), 422, 'missing_required_field', { param });
  });

  test('texts of the longest length allowed are accepted, counted in code points', async () => {
    const step = {
      kind: 'analyze',
      title: '😀'.repeat(200),
      description: '😀'.repeat(1000),
      instructions: '😀'.repeat(8000),
    };
    expect((await creates(step)).status).toBe(202);
  });
});

describe('indexes and references', () => {
  test('indexes default to the position and may leave gaps', async () => {
    const reply = await createsPlan({
      title: 'T',
      steps: [
        { index: 3, kind: 'fetch', title: 'A' },
        { index: 10, kind: 'filter', title: 'B', instructions: 'all', params: { steps_to_filter: [3] } },
      ],
    });
    expect(reply.status).toBe(202);
    expect(reply.body.steps.map(({ index }: { index: number }) => index)).toEqual([3, 10]);
  });

  test.each([
    ['twice the same', [0, 0]],
    ['descending', [1, 0]],
    ['a default behind a higher one', [5, undefined]],
  ])('refused: indexes, %s', async (_rule, [first, second]) => {
    const reply = await creates({ kind: 'fetch', index: first }, { kind: 'fetch', index: second });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: 'plan.steps.1.index' });
  });

  test.each([
    ['filter', 'steps_to_filter'],
    ['transform', 'steps_to_transform'],
    ['analyze', 'context_step_ids'],
    ['discover', 'context_step_ids'],
    ['reconstitute', 'context_step_ids'],
  ])('%s.%s names earlier steps only', async (kind, param) => {
    const step = (reference: unknown) => ({ kind, instructions: 'all', params: { [param]: reference } });
    const tries: [unknown, string][] = [
      [[99], `plan.steps.1.params.${param}.0`],
      [[0, 1], `plan.steps.1.params.${param}.1`],
      [[], `plan.steps.1.params.${param}`],
      [0, `plan.steps.1.params.${param}`],
      [[-1], `plan.steps.1.params.${param}.0`],
      [['0'], `plan.steps.1.params.${param}.0`],
    ];
    for (const [reference, path] of tries)
      expectRefusal(await creates({ kind: 'fetch' }, step(reference)), 422, 'schema_validation_failed', {
        param: path,
      });
    expect((await creates({ kind: 'fetch' }, step([0]))).status).toBe(202);
  });
});

describe('params', () => {
  test.each([
    ['fetch', 'limit', 1, 10_000],
    ['vector_search', 'limit', 1, 200],
    ['vector_search', 'min_score', 0, 1],
    ['filter', 'limit_to', 1, 10_000],
    ['transform', 'limit', 1, 100],
    ['analyze', 'max_tokens', 256, 8000],
    ['discover', 'limit', 1, 100],
    ['discover', 'depth', 1, 2],
    ['reconstitute', 'max_tokens', 256, 16_000],
  ])('%s.%s is a number from %d to %d', async (kind, name, least, most) => {
    const step = (value: unknown) => ({ kind, instructions: 'all', params: { [name]: value } });
    for (const value of [least, most])
      expect((await creates({ kind: 'fetch' }, step(value))).status, String(value)).toBe(202);
    for (const value of [least - 1, most + 1, String(least), null, true, [least]])
      expectRefusal(await creates({ kind: 'fetch' }, step(value)), 422, 'schema_validation_failed', {
        param: `plan.steps.1.params.${name}`,
      });
    if (name === 'min_score') return;
    expectRefusal(await creates({ kind: 'fetch' }, step(least + 0.5)), 422, 'schema_validation_failed', {
      param: `plan.steps.1.params.${name}`,
    });
  });

  const strings = (count: number, length = 1) => Array.from({ length: count }, () => 'x'.repeat(length));
  const ids = (count: number) => Array.from({ length: count }, () => UNKNOWN);
  const refs = (count: number) => Array.from({ length: count }, () => ({ id: UNKNOWN }));

  test.each<[string, Record<string, unknown>]>([
    [
      'fetch',
      {
        source: 'x'.repeat(200),
        query: 'x'.repeat(2000),
        entity_types: strings(20),
        fields: strings(50),
        sort: 'name_asc',
      },
    ],
    ['fetch', { query: '', sort: 'relevance' }],
    ['vector_search', { query: 'x'.repeat(2000), source: 'companies', entity_types: strings(20) }],
    ['transform', { output_fields: strings(20) }],
    ['analyze', { focus: 'x'.repeat(500) }],
    ['discover', { query: 'x'.repeat(2000), entity_types: strings(20) }],
    ['reconstitute', { expected_artifacts: ['none', 'TABLE', 'Text', 'entity_card', 'x'.repeat(80)] }],
    ['inject_context', { text: '😀'.repeat(16_000) }],
    ['inject_context', { entities: refs(50), note_ids: ids(50), artifact_ids: ids(20) }],
  ])('accepted by %s: %j', async (kind, params) => {
    expect((await creates({ kind: 'fetch' }, { kind, instructions: 'all', params })).status).toBe(202);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['fetch', { steps_to_filter: [0] }, 'steps_to_filter'],
    ['fetch', { source: 7 }, 'source'],
    ['fetch', { source: '' }, 'source'],
    ['fetch', { query: 'x'.repeat(2001) }, 'query'],
    ['fetch', { entity_types: strings(21) }, 'entity_types'],
    ['fetch', { entity_types: [7] }, 'entity_types.0'],
    ['fetch', { fields: strings(51) }, 'fields'],
    ['fetch', { sort: 'newest' }, 'sort'],
    ['vector_search', { sort: 'relevance' }, 'sort'],
    ['filter', { limit: 5 }, 'limit'],
    ['transform', { output_fields: [] }, 'output_fields'],
    ['transform', { output_fields: strings(21) }, 'output_fields'],
    ['transform', { limit: 101 }, 'limit'],
    ['analyze', { focus: 'x'.repeat(501) }, 'focus'],
    ['reconstitute', { expected_artifacts: [] }, 'expected_artifacts'],
    ['reconstitute', { expected_artifacts: strings(11) }, 'expected_artifacts'],
    ['reconstitute', { expected_artifacts: ['x'.repeat(81)] }, 'expected_artifacts.0'],
    ['inject_context', { text: 'x'.repeat(20_001) }, 'text'],
    ['inject_context', { entities: refs(51) }, 'entities'],
    ['inject_context', { note_ids: ids(51) }, 'note_ids'],
    ['inject_context', { artifact_ids: ids(21) }, 'artifact_ids'],
    ['inject_context', { note_ids: ['7'] }, 'note_ids.0'],
    ['inject_context', { entities: [{}] }, 'entities.0'],
  ])('refused by %s: %j', async (kind, params, path) => {
    const reply = await creates({ kind: 'fetch' }, { kind, instructions: 'all', params });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: `plan.steps.1.params.${path}` });
  });

  test.each([[undefined], [{}]])('inject_context with %j has nothing to inject', async (params) => {
    const reply = await creates({ kind: 'inject_context', params });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: 'plan.steps.0.params' });
  });

  test('params of 65,536 bytes as compact JSON are accepted, one more is refused', async () => {
    const sized = (bytes: number) => {
      const empty = Buffer.byteLength(JSON.stringify({ text: '' }));
      const wide = Math.floor((bytes - empty) / 4);
      return {
        kind: 'inject_context',
        params: { text: '😀'.repeat(wide) + 'x'.repeat(bytes - empty - 4 * wide) },
      };
    };
    expect((await creates(sized(65_536))).status).toBe(202);
    expectRefusal(await creates(sized(65_537)), 422, 'schema_validation_failed', {
      param: 'plan.steps.0.params',
    });
  });

  test('transform.limit to 5000 with unlimited_transform, not beyond', async () => {
    const plan = (limit: number) => ({
      title: 'T',
      steps: [
        { kind: 'fetch', title: 'A' },
        { kind: 'transform', title: 'B', params: { limit } },
      ],
    });
    const config = { unlimited_transform: true };
    expect((await createsPlan(plan(5000), config)).status).toBe(202);
    expectRefusal(await createsPlan(plan(5001), config), 422, 'schema_validation_failed', {
      param: 'plan.steps.1.params.limit',
    });
  });
});

test('a refused plan leaves no run', async () => {
  const empty = await given.workspace();
  await when.createsPlanRun(empty, [{ kind: 'drop' }]);
  await when.createsPlanRun(empty, []);
  expect((await call('GET', '/runs', { key: empty.key })).body.data).toEqual([]);
});
