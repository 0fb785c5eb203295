// The short form of the fair share: what a bystander waits for while another tenant asks for heavy work. With all of
// it, and measured: `npm run prove -- fair`.
import { beforeAll, expect, test } from 'vitest';
import { percentile } from '../proofs/bench/figures.ts';
import { bystander } from '../proofs/fair/bystander.ts';
import { heavyWork } from '../proofs/fair/heavy.ts';
import { type Tenant, tenant } from '../proofs/fair/tenants.ts';
import { admin, sharedService } from '../support/service.ts';

const SEED = 7;
/**
 * Bounds for a shared service on a busy machine: without fair sharing the bystander waits for all of the heavy work.
 */
const READ_MS = 1_000;
const RUN_MS = 30_000;

let heavy: Tenant;
let other: Tenant;
beforeAll(async () => {
  const { base_url } = sharedService();
  heavy = await tenant({ admin, base_url }, SEED, 1_000);
  other = await tenant({ admin, base_url }, SEED, 20);
});

test.each(['table_10000', 'wrong_body_1_mb', 'query_4000', 'sync_1_mb'])(
  'another tenant’s runs and reads continue next to %s',
  async (name) => {
    const { site_url } = sharedService();
    const watching = bystander(other);
    await heavyWork[name]?.(heavy, site_url);
    const { get, run } = await watching.stop();
    expect(percentile(get, 50)).toBeLessThan(READ_MS);
    expect(Math.max(...run)).toBeLessThan(RUN_MS);
  },
  120_000,
);
