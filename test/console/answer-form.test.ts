// rules.md: console 21. The form of an answer: which field each property gets, and what the filled fields mean.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, fieldsOfAnswer } from '../../clients/console/view-models/answer-form.ts';
import type { OutputSchema } from '../../clients/sdk/index.ts';

const fieldOf = (schema: OutputSchema, required: string[] = []) => {
  const [field] = fieldsOfAnswer({ type: 'object', properties: { note: schema }, required });
  if (!field) throw new Error('the form has no field');
  return field;
};
const answerIn = (schema: OutputSchema, entered: string[], required: string[] = []) =>
  answerOf([fieldOf(schema, required)], { note: entered });

describe('a property is a field', () => {
  test.each<[string, OutputSchema, object]>([
    ['a text', { type: 'string' }, { is: 'text', isLong: true }],
    ['a short text', { type: 'string', maxLength: 80 }, { is: 'text', isLong: false }],
    ['a date', { type: 'string', format: 'date' }, { is: 'date' }],
    ['a time', { type: ['null', 'string'], format: 'date-time' }, { is: 'time' }],
    ['a number', { type: 'number', maximum: 5 }, { is: 'number', isWhole: false, min: undefined, max: 5 }],
    ['a whole number', { type: ['integer', 'null'] }, { is: 'number', isWhole: true }],
    [
      'yes or no',
      { type: 'boolean' },
      { is: 'choice', options: [{ text: 'Yes', value: true }, { text: 'No' }] },
    ],
    [
      'one of some',
      { enum: ['a', 2, null] },
      { is: 'choice', options: [{ text: 'a' }, { value: 2 }, { text: 'None' }] },
    ],
    ['any of some', { type: 'array', items: { enum: ['a'] } }, { is: 'choices', options: [{ value: 'a' }] }],
    ['a list', { type: 'array', items: { type: 'number' } }, { is: 'lines' }],
  ])('%s', (_, schema, control) => {
    expect(fieldOf(schema).control).toMatchObject(control);
  });

  test('its label is its title or its name, and its hint says what it may be', () => {
    expect(
      fieldOf({ type: 'integer', title: 'Grade', description: 'Best is 5.', minimum: 1, maximum: 5 }, [
        'note',
      ]),
    ).toMatchObject({
      label: 'Grade',
      hint: 'Best is 5. 1 to 5.',
      isRequired: true,
    });
    const list = { type: 'array', items: { type: 'string' }, maxItems: 3 } as const;
    expect(fieldOf(list)).toMatchObject({ label: 'Note', hint: 'One entry a line. At most 3 entries.' });
    expect(fieldOf({ type: 'string' }).hint).toBeUndefined();
  });
});

describe('an answer has', () => {
  test.each<[string, OutputSchema, string[], unknown]>([
    ['a text as it was typed', { type: 'string' }, [' as typed '], ' as typed '],
    ['a number', { type: 'number' }, ['-1.5'], -1.5],
    ['a date', { type: 'string', format: 'date' }, ['2026-12-01'], '2026-12-01'],
    ['the value of a choice', { enum: ['a', 2, null] }, ['1'], 2],
    ['null where it is chosen', { enum: ['a', 2, null] }, ['2'], null],
    ['no, which is no absence', { type: 'boolean' }, ['1'], false],
    [
      'what was ticked, in the order of the schema',
      { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      ['2', '0'],
      ['a', 'c'],
    ],
    [
      'a line each, numbers as such',
      { type: 'array', items: { type: 'integer' } },
      ['1\n\n x \n3'],
      [1, 'x', 3],
    ],
  ])('%s', (_, schema, entered, value) => {
    expect(answerIn(schema, entered)).toEqual({ note: value });
  });

  test('a time with its zone', () => {
    const { note } = answerIn({ type: 'string', format: 'date-time' }, ['2026-12-01T09:30']);
    expect(note).toBe(new Date('2026-12-01T09:30').toISOString());
  });

  test('nothing for what is empty; of what is needed, null or an empty list if it may be', () => {
    const text: OutputSchema = { type: ['string', 'null'] };
    const list: OutputSchema = { type: 'array', items: { type: 'string' } };
    expect([answerIn(text, []), answerIn(text, ['  ']), answerIn(list, [''])]).toEqual([{}, {}, {}]);
    expect(answerIn(text, [], ['note'])).toEqual({ note: null });
    expect(answerIn(list, [], ['note'])).toEqual({ note: [] });
    expect(answerIn({ type: 'string' }, [], ['note'])).toEqual({});
  });
});

test('whatever is entered, and whatever fields are called, the answer is an object that can be sent', () => {
  const schema = fc.constantFrom<OutputSchema>(
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { enum: ['a', null] },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { enum: [1, 2] } },
  );
  const entered = fc.array(fc.oneof(fc.string(), fc.constantFrom('0', '1', '', '7')), { maxLength: 3 });
  const filled = fc.dictionary(fc.string(), fc.tuple(schema, entered), { noNullPrototype: true });
  fc.assert(
    fc.property(filled, (all) => {
      const properties = Object.fromEntries(Object.entries(all).map(([name, [one]]) => [name, one]));
      const texts = Object.fromEntries(Object.entries(all).map(([name, [, text]]) => [name, text]));
      const answer = answerOf(fieldsOfAnswer({ type: 'object', properties }), texts);
      for (const name of Object.keys(answer)) expect(Object.hasOwn(all, name)).toBe(true);
      expect(Object.values(answer)).not.toContain(undefined);
    }),
  );
});
