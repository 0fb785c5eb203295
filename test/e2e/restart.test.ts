// A run that is at work when the service stops, or a function dies, goes on. Kills at any moment (rules.md: local 3):
// `npm run prove -- chaos`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnService, ownService } from '../support/own-service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let service: OwnService;
beforeAll(async () => {
  service = await ownService({ MAX_PARALLEL_CALLS: '2' });
});
afterAll(() => service?.stop());

test('a clean stop and start in the middle of a step continues it, and does not repeat its finished calls', async () => {
  const home = await service.home({ companies: 10 });
  const steps = [
    { kind: 'fetch', params: { source: 'companies' } },
    { kind: 'transform', instructions: '[[delay:400]] sum up' },
  ];
  const { id } = (await when.createsPlanRun(home, steps)).body;
  await then.event(home, id, 'step.progress');
  await service.restart();
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 10 } });
  await then.soundLog(home, id);
  const started = (await then.eventTypes(home, id)).filter((type) => type === 'step.started');
  expect(started).toHaveLength(2);
});

test('a run survives the crash of a function in the middle of a step', async () => {
  const home = await service.home();
  const { id } = (await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[delay:500]]' }])).body;
  await then.event(home, id, 'step.started');
  await service.runtime.lambda.kill('ExecuteSteps');
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded', usage: { calls: 1 } });
  await then.soundLog(home, id);
});
