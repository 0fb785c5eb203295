// The models and their lists agree, with each other and with the code. Where the checker is here, a small search too.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legalTransitions, transitionsBy } from '#domain/runs/legal-transitions.ts';
import { missingProgram, presentLibraries } from '../judge/maven.ts';
import { type Model, models } from './promises.ts';
import { protections, statesToReach, textOf } from './sources.ts';
import { ask, tlc } from './tlc.ts';
import { parsed, recordedTransitions, transitionsOf } from './transitions.ts';

const refutations = ({ promises }: Model) => promises.flatMap(({ without }) => without);

describe.each(models)('the model $name', (model) => {
  const text = textOf(model.name);

  test('defines every promise of the list, and a file of the code keeps it', () => {
    const undefinedOnes = model.promises.filter(({ name }) => !text.includes(`\n${name} ==`));
    const homeless = model.promises.filter(({ file }) => !existsSync(file));
    expect([...undefinedOnes, ...homeless]).toEqual([]);
  });

  test('breaks without each of its protections, and each promise needs one', () => {
    expect(
      refutations(model)
        .map(({ protection }) => protection)
        .toSorted(),
    ).toEqual(protections(model.name));
    expect(model.promises.filter(({ without }) => without.length === 0)).toEqual([]);
  });

  test('has a value for each of its constants in every search', () => {
    const [, list = ''] = /^CONSTANTS ([\w, ]+)$/m.exec(text) ?? [];
    const constants = list.split(', ').filter((name) => name !== 'Without');
    const all = [model.least, ...model.searches, ...refutations(model)].flatMap((one) =>
      'bounds' in one ? [one.bounds ?? model.least] : [],
    );
    for (const bounds of all) expect(Object.keys(bounds).toSorted()).toEqual(constants.toSorted());
  });

  test('is searched for what always holds and for what happens in the end', () => {
    expect(new Set(model.searches.map(({ checks }) => checks))).toEqual(new Set(['safety', 'liveness']));
    expect(statesToReach(model.name).length).toBeGreaterThan(5);
  });
});

const isLegal = ({ before, after, events }: ReturnType<typeof parsed>) =>
  transitionsBy(before, events).some((one) => one.after === after);

describe('the commits that the model of runs makes', () => {
  const recorded = recordedTransitions().map(parsed);

  test('are legal', () => {
    expect(recorded.filter((one) => !isLegal(one))).toEqual([]);
  });

  test('are all that is legal, but for what the model leaves out', () => {
    const made = new Set(
      recorded.flatMap(({ before, after, events }) =>
        transitionsBy(before, events).filter((one) => one.after === after),
      ),
    );
    const unmade = legalTransitions.filter((one) => !made.has(one));
    const left = unmade.filter(({ name }) => !/progress|retries|works on/.test(name));
    expect(left.map(({ before, name }) => `${before}: ${name}`)).toEqual([
      // A deadline that passes in the first moments of a start.
      'pending: starts and fails between steps',
      // Jobs, which are another model.
      'running: is canceled while it waits for a job',
      // As when pending.
      'paused: starts and fails between steps',
      // The cost of a late call, which is in the model of money.
      'succeeded: changes without an event',
      'failed: changes without an event',
      'canceled: changes without an event',
    ]);
  });
});

const libraries = missingProgram('java') === undefined ? presentLibraries(tlc) : undefined;

test.skipIf(libraries === undefined)(
  'a commit without the lease is found, and nothing is with it',
  async () => {
    if (libraries === undefined) throw new Error('the checker is gone');
    const [run] = models;
    const promises = run?.promises.filter(({ name }) => name === 'StepsCompleteOnce') ?? [];
    const bounds = { ...run?.least, Steps: 1 };
    const question = { spec: 'Run', bounds, promises } as const;
    const { violated, committed } = await ask(libraries, question);
    expect(violated).toBeUndefined();
    expect(transitionsOf(committed).filter((one) => !isLegal(parsed(one)))).toEqual([]);
    expect((await ask(libraries, { ...question, without: 'lease' })).violated?.name).toBe(
      'StepsCompleteOnce',
    );
  },
);
