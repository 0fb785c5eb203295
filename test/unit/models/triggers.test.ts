// The triggers of the offline model.
import { describe, expect, test } from 'vitest';
import { ModelError } from '#models/model.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { ask, companies, firstCall, item, noLimit, offline, shape } from './given.ts';

const model = offlineModel();
const filter = (instructions: string, context = firstCall, signal = noLimit()) =>
  ask(model, 'filter', { instructions, items: companies }, { context, signal });
const transform = (instructions: string, item_index: number) =>
  ask(
    model,
    'transform',
    { instructions, item: item('Acme', {}), output_fields: ['x'] },
    { context: { ...firstCall, item_index } },
  );

describe('triggers (rules.md: offline 2)', () => {
  test('[[fail]] fails permanently', async () => {
    await expect(filter('[[fail]]')).rejects.toMatchObject({ name: 'ModelError', transient: false });
  });
  test('[[fail-once]] fails the first time the step runs and no more', async () => {
    await expect(filter('keep all [[fail-once]]')).rejects.toMatchObject({ transient: false });
    await expect(
      filter('keep all [[fail-once]]', { step_attempt: 2, calls_before: 0 }),
    ).resolves.toBeDefined();
  });
  test('[[transient:N]] fails the first N calls transiently', async () => {
    for (const calls_before of [0, 1])
      await expect(filter('[[transient:2]]', { step_attempt: 1, calls_before })).rejects.toMatchObject({
        transient: true,
      });
    await expect(filter('[[transient:2]]', { step_attempt: 1, calls_before: 2 })).resolves.toBeDefined();
  });
  test('[[fail-item:N]] fails one item of a transform, and nothing else', async () => {
    await expect(transform('[[fail-item:1]]', 1)).rejects.toBeInstanceOf(ModelError);
    await expect(transform('[[fail-item:1]]', 0)).resolves.toBeDefined();
    await expect(filter('keep all [[fail-item:1]]', { ...firstCall, item_index: 1 })).resolves.toBeDefined();
  });
  test('[[delay:MS]] is cut short by the signal, as a transient timeout', async () => {
    const call = filter('[[delay:60000]]', firstCall, AbortSignal.timeout(5));
    await expect(call).rejects.toMatchObject({ transient: true, message: 'The model timed out' });
  });
  test('[[no-usage]] reports none', async () => {
    expect((await filter('keep all [[no-usage]]')).usages).toEqual([null]);
  });
  test('[[tokens:…]] reports exactly that', async () => {
    expect((await filter('[[tokens:1000000,400000,500000,100000]]')).usages).toEqual([
      {
        input_tokens: 1_000_000,
        cached_input_tokens: 400_000,
        output_tokens: 500_000,
        thinking_tokens: 100_000,
      },
    ]);
  });
  test('[[ambiguous]] makes a query ambiguous', async () => {
    const input = {
      query: 'List companies [[ambiguous]]',
      strict_mode: true,
      shape,
      values: [],
      candidates: [],
      today: '2026-11-20',
    };
    expect(await offline('understand', input)).toMatchObject({
      verdict: 'ambiguous',
      reason: 'multiple_interpretations',
    });
  });
  test('in a query steer its understanding alone; the plan obeys and holds none', async () => {
    const query = 'List companies in Berlin [[fail]] [[delay:60000]]';
    const plan = await offline('plan', {
      query,
      interpretation: query,
      shape,
      values: [],
      candidates: [],
      today: '2026-11-20',
    });
    expect(JSON.stringify(plan)).not.toContain('[[');
  });
  test('never show in an output', async () => {
    const findings = await offline('analyze', {
      instructions: 'Compare [[delay:1]] them',
      focus: '',
      items: companies,
      found: [],
      context: [],
      max_tokens: 500,
    });
    const section = await offline('dossier_section', {
      heading: 'Overview [[tokens:1,0,1,0]]',
      entity: item('Acme', {}),
      relationships: [],
      recent_activity: [],
      max_tokens: 500,
    });
    expect(JSON.stringify([findings, section])).not.toContain('[[');
  });
  test.each([
    '[[Fail]]',
    '[[delay:-1]]',
    '[[delay:soon]]',
    '[[tokens:1,2]]',
    '[[fail',
    '[fail]',
    '[[fail:1]]',
    '[[transient]]',
  ])('that are malformed are plain text: %s', (text) => {
    expect(readTriggers(`keep ${text} all`).text).toBe(`keep ${text} all`);
  });
});
