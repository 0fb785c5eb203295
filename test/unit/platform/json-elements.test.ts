// A long JSON list, element by element.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf } from '#platform/json-elements.ts';

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  for (const [i, place] of places.entries()) if (i > 0) yield text.slice(places[i - 1], place);
}

async function read(text: string, cuts: readonly number[] = []): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const group of elementsOf(pieces(text, cuts)))
    found.push(...group.map((one) => JSON.parse(one)));
  return found;
}

test('the elements of any list, wherever its text is cut', async () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  const cuts = fc.array(fc.nat(), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.array(object, { maxLength: 6 }), cuts, async (list, at) => {
      const text = JSON.stringify(list);
      expect(await read(`${text.slice(1)},"more":[{}]}`, at)).toEqual(JSON.parse(text));
    }),
  );
});

test('breaks between elements, as a list that is written in pieces has them', async () => {
  expect(await read('\n{"a":1},\n{"a":2}\n]}')).toEqual([{ a: 1 }, { a: 2 }]);
});
