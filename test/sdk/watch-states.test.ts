// states: the run after each event of its log, from the creation to the final envelope.
import { expect, test } from 'vitest';
import { RunService } from '../../clients/sdk/index.ts';
import { BASE_URL, created, endedRun, logOf, started, succeeded } from './fake-service.ts';

test('states begin with the creation and end with the final envelope', async () => {
  const service = endedRun(logOf(created, started, succeeded), { message: 'Done.' });
  const statuses: string[] = [];
  const { runs } = new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: service.fetch });
  for await (const state of runs.watch(service.run.id).states())
    statuses.push(`${state.status} ${state.message}`);
  expect(statuses).toEqual(['pending null', 'running null', 'succeeded null', 'succeeded Done.']);
});

test('states know the steps of a query as soon as its plan is there', async () => {
  const step = { step_index: 0, kind: 'fetch', title: 'A' } as const;
  const log = logOf(
    created,
    started,
    ['step.started', { ...step, status: 'running', attempt: 1 }],
    succeeded,
  );
  const service = endedRun(log);
  const planned = { kind: 'fetch', status: 'completed', attempt: 1 } as const;
  const plan = [
    { index: 0, title: 'A', ...planned },
    { index: 1, title: 'B', ...planned },
  ];
  const read = service.fetch;
  let reads = 0;
  const fetch: typeof service.fetch = (input, init) => {
    if (new URL(String(input)).pathname.endsWith(service.run.id)) reads += 1;
    service.run = { ...service.run, steps: reads > 1 ? plan : [] };
    return read(input, init);
  };
  const { runs } = new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch });
  const steps: string[] = [];
  for await (const state of runs.watch(service.run.id).states())
    steps.push(state.steps.map(({ title, status }) => `${title} ${status}`).join());
  expect(steps).toEqual(['', '', 'A running,B pending', 'A running,B pending', 'A completed,B completed']);
});
