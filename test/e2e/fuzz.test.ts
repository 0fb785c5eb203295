// The short form of the fuzz: nothing that a client may send is a failure of ours, and every refusal is in the
// envelope.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { fuzz } from '../proofs/fuzz/run.ts';
import { admin, sharedService } from '../support/service.ts';

/** The command takes another seed each time; the suite proves the same each time. */
const seed = 20_261_121;

test('400 generated requests: no 5xx, every error in the envelope under a known code, every reply as documented', async () => {
  const { base_url, site_url, log_dir } = sharedService();
  const service = { base_url, site_url, data_dir: dirname(log_dir), admin };
  const { breaches, ...figures } = await fuzz(service, { seed, first: 0, n: 400, parallel: 4, floods: 60 });
  expect(breaches, `seed ${seed}`).toEqual([]);
  // Were everything refused early, the rest would prove nothing.
  const codes = new Map(Object.entries(Object(figures.codes)));
  expect(codes.get('none')).toBeGreaterThan(40);
  expect(codes.size).toBeGreaterThan(8);
}, 180_000);
