// Requests during the start: they wait until it is complete, and none is answered by a start that fails.
import { expect, onTestFinished, test } from 'vitest';
import { startFixture } from './fixture/start.ts';

test('a request that arrives before the start is complete is answered after it', async () => {
  const order: string[] = [];
  let early: Promise<unknown> = Promise.resolve();
  const started = await startFixture(() => {}, {
    async prepare({ site_url }) {
      early = fetch(site_url).then(() => order.push('answered'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      order.push('prepared');
    },
  });
  onTestFinished(() => started.end());
  await early;
  expect(order).toEqual(['prepared', 'answered']);
});

test('a start that fails has answered no request', async () => {
  let early: Promise<string> = Promise.resolve('not sent');
  const starting = startFixture(() => {}, {
    async prepare({ site_url }) {
      early = fetch(site_url).then(
        () => 'answered',
        () => 'not answered',
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      throw new Error('no demo workspace');
    },
  });
  await expect(starting).rejects.toThrow('no demo workspace');
  expect(await early).toBe('not answered');
});
