// What an evaluation counts, and what it says of a model.
import { expect, test } from 'vitest';
import { evaluate } from '#domain/evaluation/evaluate.ts';
import { filterTrials } from '#domain/evaluation/filter-trials.ts';
import { evaluateQuickly, quickTrials } from '#domain/evaluation/quick.ts';
import { percentGood, saysOf, scoresOf } from '#domain/evaluation/scores.ts';
import { transformTrials } from '#domain/evaluation/transform-trials.ts';
import type { Model } from '#models/model.ts';
import { unusable } from '#models/model.ts';
import { offlineModel } from '#models/offline/offline-model.ts';
import { modelOf } from '../../../support/model-of.ts';
import { scripted, tryAll } from './scripted.ts';

const some = filterTrials().slice(0, 2);
const keepingNone = scripted({
  filter: ({ items }) => ({ verdicts: items.map(() => ({ keep: false, score: 0 })) }),
});

test('counts answers, calls, tokens and cost of each set', async () => {
  const [score] = scoresOf(await tryAll(some, keepingNone));
  expect(score).toMatchObject({ set: 'filter', answers: 16, calls: 2, repairs: 0, unusable: 0 });
  // At 1 USD per million tokens in and 10 out.
  expect(score).toMatchObject({ input_tokens: 200, output_tokens: 20, cost_usd: 0.0004 });
});

test('counts a second reply to a call as a repair', async () => {
  const repairing = modelOf(async (task, input, context, attempt) => {
    attempt.onReply(null);
    return keepingNone.call(task, input, context, attempt);
  });
  expect(scoresOf(await tryAll(some, repairing))[0]).toMatchObject({ calls: 2, repairs: 2 });
});

test('without a usable answer, what the call decides is unusable, and the reason is told', async () => {
  const refusing: Model = modelOf(async () => {
    throw unusable('The model gave no usable answer: no verdicts');
  });
  const tried = await tryAll(some, refusing);
  expect(scoresOf(tried)[0]).toMatchObject({ right: 0, wrong: 0, unusable: 16 });
  expect(saysOf(tried)).toContain(
    'Could not be used: 16 of the answers (2 × The model gave no usable answer',
  );
});

test('a fault of the service itself is thrown', async () => {
  const broken = modelOf(async () => {
    throw new TypeError('a fault');
  });
  await expect(tryAll(some, broken)).rejects.toThrow(TypeError);
});

test('asks no more trials at once than the endpoint takes', async () => {
  let now = 0;
  let most = 0;
  const counted = modelOf(async (...call) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
    return keepingNone.call(...call);
  });
  const prices = { offline: { input: 1, cached_input: 1, output: 1 } };
  await evaluate(filterTrials(), { model: counted, prices, parallel: 3 });
  expect(most).toBe(3);
});

test('says of a filter that keeps none, and of one that keeps all, that it is not better than chance', async () => {
  const keepingAll = scripted({
    filter: ({ items }) => ({ verdicts: items.map(() => ({ keep: true, score: 1 })) }),
  });
  for (const model of [keepingNone, keepingAll])
    expect(saysOf(await tryAll(filterTrials(), model))).toMatch(
      /not clearly better than chance at filters.*do not let it filter/,
    );
});

test('says of a set whose answers are right that it gets them right', async () => {
  const truths: Record<string, unknown> = { chief_executive: null };
  const copying = scripted({
    transform: ({ item, output_fields }) => ({
      fields: Object.fromEntries(
        output_fields.map((name) => [name, name in truths ? null : (item.fields[name] ?? null)]),
      ),
    }),
  });
  const tried = await tryAll(
    transformTrials().filter(({ name }) => name.includes('chief executive')),
    copying,
  );
  expect(saysOf(tried)).toBe('It gets right new fields (12 of 12).');
  expect(percentGood(scoresOf(tried))).toBe(100);
});

test('the quick form takes at most 30 calls, of all sets', () => {
  const trials = quickTrials();
  expect(trials.reduce((sum, { calls }) => sum + calls, 0)).toBe(30);
  expect(new Set(trials.map(({ set }) => set)).size).toBe(5);
});

test('the quick form sums up all sets in numbers and a sentence', async () => {
  const prices = { offline: { input: 1, cached_input: 1, output: 1 } };
  const { right, honest, wrong, unusable, says } = await evaluateQuickly({
    ...{ model: offlineModel(), prices, parallel: 2 },
  });
  expect(right + honest + wrong + unusable).toBe(
    quickTrials().reduce((sum, { answers }) => sum + answers, 0),
  );
  expect(right).toBeGreaterThan(wrong);
  expect(says).toMatch(/^It gets right .*questions over fields/);
});
