// The short forms of the proofs: the same trials as `node test/proofs/main.ts`, on the shared service and with small figures.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { raceCancels } from '../proofs/cancel.ts';
import { raceKeys } from '../proofs/idempotency.ts';
import type { Findings } from '../proofs/proof.ts';
import type { ProvedService } from '../proofs/proved-service.ts';
import { admin, sharedService } from '../support/service.ts';

const seed = Date.now() % 1_000_000_000;

function service(): ProvedService {
  const { base_url, site_url, log_dir } = sharedService();
  return { base_url, site_url, data_dir: dirname(log_dir), admin };
}

function expectProved(name: string, { breaches, ...figures }: Findings): void {
  expect(breaches, `${name}, seed ${seed}: ${JSON.stringify(figures)}`).toEqual([]);
}

test('keys posted many times at once make one run each, and another body under the key is refused', async () => {
  expectProved('idempotency', await raceKeys(service(), { keys: 2, par: 30, seed }));
});

test('cancel against finish: exactly one end, told once, settled once, whatever the moment', async () => {
  expectProved('cancel', await raceCancels(service(), { runs: 60, seed }));
});
