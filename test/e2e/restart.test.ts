// rules.md: local 3. After SIGKILL at any moment a restart on the same data loses nothing acknowledged and finishes
// every run.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killTrial } from '../proofs/chaos/kill-trial.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let service: OwnService;
beforeAll(async () => {
  service = await ownService({ MAX_PARALLEL_CALLS: '2' });
});
afterAll(() => service?.stop());

test('12 runs in flight, kills of the service and a function: 12 ends, no gap, no duplicate, no slot, credit or webhook lost', async () => {
  const report = await killTrial(
    { runs: 12, kills: 3, seed: 11, delivered: false },
    { assembly: sharedService().assembly },
  );
  expect(report).toMatchObject({ acknowledged: 12, breaches: [], ended: { succeeded: 9, failed: 3 } });
  expect(report.caught).toBeGreaterThan(0);
}, 180_000);

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
