// The smoke test of a deployment, on the local service: it passes here, and reports what it misses.
import { expect, test } from 'vitest';
import { SmokeFailed, smoke } from '../../bin/smoke/checks.ts';
import * as given from '../support/given.ts';
import { sharedService } from '../support/service.ts';

test('a service that does what it must passes every check', async () => {
  const { key } = await given.workspace();
  const { run_id, checks } = await smoke({ baseUrl: sharedService().base_url, apiKey: key });
  expect(run_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(checks).toContain('the console is there with its assets');
  expect(checks).toContain('an agent waits for it by the door');
});

test('the first check that fails is named, with what was found', async () => {
  const failing = smoke({ baseUrl: sharedService().base_url, apiKey: 'no-key-of-this-service' });
  await expect(failing).rejects.toThrow(SmokeFailed);
  await expect(failing).rejects.toThrow(/a run is accepted: .*auth_invalid/);
});
