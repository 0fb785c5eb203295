// The short form of fair share: one tenant's heavy steps do not hold up another's requests.
import { expect, test } from 'vitest';
import { bystander } from '../fair/bystander.ts';
import { heavyWork } from '../fair/heavy.ts';
import { tenant } from '../fair/tenants.ts';
import { admin, sharedService } from '../support/service.ts';

/** Far beyond what is measured alone (`npm run fair`), as other tests run at the same time. */
const WORST_MS = 3_000;

test('while one tenant reads, judges and tabulates thousands of records, another goes on being answered', async () => {
  const { base_url, site_url } = sharedService();
  const heavy = await tenant({ admin, base_url }, 7, 2_000);
  const other = await tenant({ admin, base_url }, 7, 20);
  const watching = bystander(other);
  for (const name of ['table_10000', 'filter_10000', 'transform_100'])
    await heavyWork[name]?.(heavy, site_url);
  const { create, get, list } = await watching.stop();
  expect(get.length).toBeGreaterThan(10);
  expect(Math.max(...create, ...get, ...list)).toBeLessThan(WORST_MS);
});
