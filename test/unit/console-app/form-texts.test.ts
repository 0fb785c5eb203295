// What is typed into the form of a new run, what is sent of it, and the message when it is wrong.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blankCondition,
  withOperator,
  wrapped,
} from '../../../clients/console/view-models/condition-draft.ts';
import {
  issueAt,
  localIssues,
  refusedFields,
  says,
  unsaidFields,
} from '../../../clients/console/view-models/issues.ts';
import { limitText } from '../../../clients/console/view-models/limit-text.ts';
import { mainFields, readsInstructions, valuesOf } from '../../../clients/console/view-models/step-fields.ts';
import {
  groupList,
  lineList,
  numberText,
  pairList,
  plainText,
  scalarList,
  scalarText,
  wordList,
} from '../../../clients/console/view-models/typed-text.ts';
import { ApiError } from '../../../clients/sdk/index.ts';
import { FieldSort, Measure, operators, Where } from '../../../functions/contract/conditions.ts';
import { CreateRun } from '../../../functions/contract/runs.ts';
import { stepKinds, stepTable } from '../../../functions/contract/steps.ts';

describe('fields', () => {
  test('the values of every param are of a kind that has a field', () => {
    const schemas = stepKinds.flatMap((kind) => Object.values(stepTable[kind].params.shape));
    const rows = [...Object.values(Measure.shape), ...Object.values(FieldSort.shape)];
    expect(new Set([...schemas, ...rows].map(valuesOf))).toEqual(
      new Set([
        ...['string', 'number', 'enum', 'string[]', 'number[]', 'GroupField[]'],
        ...['Where', 'Sort', 'Measure[]', 'MeasureOp', 'EntityRef[]'],
      ]),
    );
  });

  test('a kind whose instructions are required shows them', () => {
    for (const kind of stepKinds)
      if (!stepTable[kind].instructions.safeParse(undefined).success)
        expect(readsInstructions.has(kind)).toBe(true);
  });

  test('what most steps need is open, and is a part of the form', () => {
    for (const kind of stepKinds)
      expect(Object.keys(stepTable[kind].params.shape)).toEqual(
        expect.arrayContaining([...mainFields[kind]]),
      );
  });
});

describe('what is typed', () => {
  test.each([
    [plainText, '', undefined],
    [plainText, ' a ', ' a '],
    [numberText, ' 12 ', 12],
    [numberText, '0.', 0],
    [numberText, 'twelve', 'twelve'],
    [numberText, '', undefined],
    [wordList, 'a, b c,,', ['a', 'b c']],
    [wordList, ' , ', undefined],
    [
      groupList,
      'city, made at by month,total by 2.5',
      ['city', { field: 'made at', by: 'month' }, { field: 'total', by: { width: 2.5 } }],
    ],
    [groupList, 'by month, x by decade', ['by month', 'x by decade']],
    [lineList, 'a, b\n\nc', ['a, b', 'c']],
    [pairList, 'team: a:b\n\nlone', { team: 'a:b', lone: '' }],
    [scalarText, '12.5', 12.5],
    [scalarText, 'true', true],
    [scalarText, '"12"', '12'],
    [scalarText, 'Berlin', 'Berlin'],
    [scalarText, '', ''],
    [scalarList, '1, "2", x', [1, '2', 'x']],
  ])('%# %j is sent as %j', (writing, text, value) => {
    expect(writing.read(text)).toEqual(value);
  });

  test('a value of a condition is read back unchanged', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom('5', 'true', '"', '""', ' 1'),
    );
    fc.assert(
      fc.property(scalar, (value) => {
        expect(scalarText.read(scalarText.write(value))).toEqual(value);
      }),
    );
  });
});

describe('conditions', () => {
  test.each(operators)('one that is given the operator %s takes a value of its kind', (op) => {
    for (const value of ['x', 5, true, ['x', 5]]) {
      const { success } = Where.safeParse(withOperator({ field: 'f', op: '=', value }, op));
      // A boolean has no order and is not text until text is typed.
      if (typeof value !== 'boolean') expect([op, value, success]).toEqual([op, value, true]);
    }
  });

  test('one that is joined or negated stays what it was', () => {
    const city = { field: 'city', op: '=', value: 'Oslo' };
    expect(wrapped(city, 'or')).toEqual({ or: [city, blankCondition] });
    expect(wrapped(city, 'not')).toEqual({ not: city });
  });
});

describe('what is wrong', () => {
  const issues = (body: unknown) => localIssues(CreateRun.safeParse(body).error?.issues ?? [], body);

  test('is shown at its field, in the words of the form', () => {
    expect(issues({ input_type: 'query', query: '' })).toEqual([{ path: 'query', message: 'needed' }]);
    expect(issues({ input_type: 'query' })).toEqual([{ path: 'query', message: 'needed' }]);
    expect(issues({ input_type: 'query', query: 'q', extra: 1 })).toEqual([
      { path: 'extra', message: 'there is no such field' },
    ]);
    const plan = { title: 'P', steps: [{ kind: 'filter', title: 'a', params: { limit_to: 'x' } }] };
    expect(issues({ input_type: 'plan', plan })).toEqual([
      { path: 'plan.steps.0.instructions', message: 'needed' },
      { path: 'plan.steps.0.params.limit_to', message: 'must be a number' },
    ]);
  });

  test('is found for a field when it is about something in it, and not about its neighbour', () => {
    const found = [{ path: 'plan.steps.1.params.steps_to_filter.0', message: 'm' }];
    expect(issueAt(found, 'plan.steps.1.params.steps_to_filter')).toBe(found[0]);
    expect(issueAt(found, 'plan.steps.1.params.steps')).toBeUndefined();
  });

  const refusal = (fields: object) =>
    new ApiError(
      {
        code: 'schema_validation_failed',
        type: 'invalid_request',
        message: 'no',
        doc_url: '',
        request_id: 'r',
        ...fields,
      } as never,
      { status: 422, attempts: 1, retryAfterMs: undefined },
    );

  test('is taken from a refusal of the service, all of it or the field that it names', () => {
    const listed = [{ path: ['plan', 'steps', 0], message: 'a', code: 'c', expected: '', received: 'x' }];
    expect(refusedFields(refusal({ param: 'plan', details: { issues: listed } }))).toEqual([
      { path: 'plan.steps.0', message: 'a' },
    ]);
    expect(refusedFields(refusal({ param: 'query' }))).toEqual([{ path: 'query', message: 'no' }]);
    expect(refusedFields(refusal({}))).toEqual([]);
    expect(refusedFields(new Error('lost'))).toEqual([]);
  });

  test('is said once: the first issue by the message, the others in the words of the form', () => {
    const issue = (path: string[], code = 'custom', received = 'x') => ({
      ...{ path, code, received, message: 'too long', expected: 'number' },
    });
    const message = '`qeury` is no field. Did you mean `query`?';
    const issues = [
      issue(['query'], 'invalid_type', 'undefined'),
      issue(['qeury'], 'unrecognized_keys'),
      issue(['a', 'b'], 'invalid_type'),
      issue(['c']),
    ];
    const refused = refusal({ message, details: { issues } });
    expect(refusedFields(refused)).toEqual([
      { path: 'query', message },
      { path: 'qeury', message: 'there is no such field' },
      { path: 'a.b', message: 'must be a number' },
      { path: 'c', message: 'too long' },
    ]);
    expect(unsaidFields(refused).map(({ path }) => path)).toEqual(['a.b', 'c']);
    expect(unsaidFields(refusal({ param: 'query' }))).toEqual([]);
    expect(unsaidFields(new Error('lost'))).toEqual([]);
    expect(says('Name records, or a type.', 'name `records`, or a type')).toBe(true);
    expect(says('Name records.', 'Name a type.')).toBe(false);
  });
});

describe('limits', () => {
  test('a cap shows what is spent and when it resets', () => {
    const details = { limit_usd: 5, spent_usd: 5.5, resets_at: 10_000_000 };
    const text = limitText({ details, retryAfterMs: 4000 }, 9_940_000);
    expect(text).toMatch(/^\$5\.50 of \$5\.00 are spent\. The limit is reset on .+, in 1 min\.$/);
  });

  test('too many runs and too few credits show the numbers', () => {
    expect(limitText({ details: { limit: 3, in_flight: 3 }, retryAfterMs: 5000 }, 0)).toBe(
      '3 of 3 runs are in flight. Try again in 5.0 s.',
    );
    expect(
      limitText({ details: { reason: 'credits', required: 9, available: 2 }, retryAfterMs: undefined }, 0),
    ).toBe('9 credits are needed, 2 are left.');
  });

  test('other errors are about no limit', () => {
    expect(limitText({ details: { max_steps: 50 }, retryAfterMs: undefined }, 0)).toBeUndefined();
  });
});
