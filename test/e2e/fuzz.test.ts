// The short form of the fuzz: nothing that a client may send is a failure of ours, and every refusal is in the envelope.
import { afterAll, expect, test } from 'vitest';
import { makePool } from '../fuzz/pool.ts';
import { fuzz } from '../fuzz/run.ts';
import { hangUp } from '../fuzz/send.ts';
import { admin, sharedService } from '../support/service.ts';

afterAll(hangUp);

test('400 generated requests: no 5xx, every error in the envelope under a known code, every reply as documented', async () => {
  const { base_url, site_url } = sharedService();
  const pool = await makePool(base_url, admin);
  const seed = Date.now() % 1_000_000_000;
  const report = await fuzz(site_url, pool, { seed, first: 0, end: 400, parallel: 4 });
  expect(report.breaches, `node test/fuzz/fuzz.ts --seed ${seed} --only …`).toEqual([]);
  expect(report.requests).toBe(400);
  // Were everything refused early, the rest would prove nothing.
  expect(report.codes.none).toBeGreaterThan(40);
  expect(Object.keys(report.codes).length).toBeGreaterThan(8);
});
