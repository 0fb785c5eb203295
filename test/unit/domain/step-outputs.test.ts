// Outputs of earlier steps: what does not fit into the memory is read again.
import { expect, test } from 'vitest';
import { stepOutputs } from '#domain/execution/step-outputs.ts';
import type { StepOutput } from '#steps/step.ts';
import { items } from '../steps/fake-context.ts';

const read: number[] = [];
const outputs = () =>
  stepOutputs(async (position): Promise<StepOutput> => {
    read.push(position);
    return { items: items('x'), text: `read ${position}` };
  }, 2_000);
const large = (text: string): StepOutput => ({ text: text.repeat(1_500) });

test('the latest outputs are in memory, earlier ones are read again', async () => {
  const some = outputs();
  read.length = 0;
  await some.add(0, large('a'));
  expect(await some.at(0)).toEqual(large('a'));
  await some.add(1, large('b'));
  expect(await some.at(1)).toEqual(large('b'));
  expect(read).toEqual([]);
  expect(await some.at(0)).toMatchObject({ text: 'read 0' });
  expect(read).toEqual([0]);
});

test('an output that is larger than the memory for all is in it until another one comes', async () => {
  const some = outputs();
  read.length = 0;
  const rows = Array.from({ length: 100 }, () => ({ cell: 'x'.repeat(100) }));
  const table: StepOutput = { artifacts: [{ kind: 'table', title: 'T', columns: ['cell'], rows }] };
  await some.add(0, table);
  expect(await some.at(0)).toEqual(table);
  await some.add(1, { text: 'b' });
  await some.add(1, { text: 'c' });
  expect([await some.at(1), await some.at(0)]).toMatchObject([{ text: 'c' }, { text: 'read 0' }]);
  expect(read).toEqual([0]);
});
