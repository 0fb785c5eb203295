// The short form of the drill of docs/restore.md, and what it finds when a part of the procedure is left out (rules.md:
// admin 9).
import { expect, test } from 'vitest';
import { drillRestore } from '../proofs/drill/restore-drill.ts';
import { sharedService } from '../support/service.ts';

test('a restored table answers as it did then, nothing newer and nothing stale, and its work goes on', async () => {
  const { breaches, stale_before } = await drillRestore({
    cloudAssembly: async () => sharedService().assembly,
    ...{ records: 20, deployed: false, renews: true, patient: false },
  });
  expect(breaches).toEqual([]);
  // Without the new incarnations these answers are of what the restored table does not have.
  expect(stale_before).toBe(3);
}, 180_000);
