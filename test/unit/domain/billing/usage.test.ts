// rules.md: usage 11. The sums of a run by model.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, fallbackWarnings, spentOn, subtract, total, usageOf } from '#domain/billing/usage.ts';
import { nothingSpent, Spent } from '#store/runs/run-record.ts';
import { spentOfStored, spentToStore } from '#store/runs/stored-spent.ts';
import { runRecord } from '../../../support/runs.ts';

const price = { input: 1, cached_input: 0.1, output: 4 };
const reply = (model: string, tokens: number, instead_of?: string): Spent =>
  spentOn(
    {
      input_tokens: tokens,
      cached_input_tokens: Math.floor(tokens / 2),
      output_tokens: 2 * tokens,
      thinking_tokens: 0,
    },
    price,
    { model, instead_of },
  );
const modelsOf = (spent: Spent) => usageOf(runRecord({ spent })).models;
const replies = fc.array(fc.record({ model: fc.constantFrom('a', 'b', 'c'), tokens: fc.nat({ max: 1000 }) }));

test('the models of a run are in the order of their first use, and add up to its sums', () => {
  const property = (all: { model: string; tokens: number }[]) => {
    const spent = total(all.map(({ model, tokens }) => reply(model, tokens)));
    const models = modelsOf(spent);
    expect(models.map(({ model }) => model)).toEqual([...new Set(all.map(({ model }) => model))]);
    for (const name of ['calls', 'input_tokens', 'cached_input_tokens', 'output_tokens'] as const)
      expect(models.reduce((sum, one) => sum + one[name], 0)).toBe(spent[name]);
    const costs = models.map(({ cost_usd }) => BigInt(Math.round(cost_usd * 1e12)));
    expect(costs.reduce((sum, cost) => sum + cost, 0n)).toBe(BigInt(spent.cost_pico_usd));
    for (const { model, calls } of models)
      expect(calls).toBe(all.filter((one) => one.model === model).length);
  };
  fc.assert(fc.property(replies, property));
});

test('what is taken away again leaves the others', () => {
  const property = (one: { model: string; tokens: number }[], other: typeof one) => {
    const sumOf = (some: typeof one) => total(some.map(({ model, tokens }) => reply(model, tokens)));
    const byName = (spent: Spent) => new Map(modelsOf(spent).map(({ model, ...sums }) => [model, sums]));
    const left = subtract(add(sumOf(one), sumOf(other)), sumOf(other));
    expect(byName(left)).toEqual(byName(sumOf(one)));
  };
  fc.assert(fc.property(replies, replies, property));
});

test('a run with one model stores its name alone', () => {
  const spent = add(reply('a', 10), reply('a', 20));
  expect(spent).toMatchObject({ model: 'a', calls: 2 });
  expect(spent).not.toHaveProperty('others');
});

test('a simulated run stores no name, and is read with it, also when a real model goes on', () => {
  const spent = reply('offline', 10);
  const short = Spent.parse(spentToStore({ sim: true, spent }));
  expect(short).not.toHaveProperty('model');
  const read = spentOfStored({ sim: true, spent: short });
  expect(read).toEqual(spent);
  const both = add(read, reply('a', 20));
  expect(spentOfStored({ spent: Spent.parse(spentToStore({ spent: both })) })).toEqual(both);
  expect(modelsOf(both).map(({ model }) => model)).toEqual(['offline', 'a']);
});

test('a run without a call has no model, a simulated one neither', () => {
  expect(spentOfStored({ sim: true, spent: nothingSpent })).toEqual(nothingSpent);
  expect(modelsOf(nothingSpent)).toEqual([]);
});

test('no sum is too large to store or below zero, whatever a provider reports', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const spent = total([reply('a', 1), reply('b', most), reply('c', most)]);
  expect(spent.input_tokens).toBe(most);
  expect(modelsOf(spent)).toMatchObject([
    { model: 'a', calls: 1, input_tokens: 0 },
    { model: 'b', calls: 1, input_tokens: most },
    { model: 'c', calls: 1, input_tokens: most },
  ]);
});

test('calls of earlier releases have no model', () => {
  const { model: _, ...before } = reply('a', 10);
  expect(modelsOf(before)).toEqual([]);
  expect(modelsOf(add(before, reply('b', 20)))).toMatchObject([{ model: 'b', calls: 1, input_tokens: 20 }]);
});

test('the first reply in place of a model that was away is told once', () => {
  const spent = total([reply('a', 1), reply('b', 1, 'a'), reply('c', 1, 'a')]);
  expect(fallbackWarnings(spent)).toMatchObject([
    { code: 'model_fallback', details: { from: 'a', to: 'b' } },
  ]);
  expect(fallbackWarnings(reply('a', 1))).toEqual([]);
});
