// Money over random histories, in short; `npm run prove -- money` runs 2,000.
import { expect, test, vi } from 'vitest';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { liveThrough } from './histories.ts';

// Processes share no reads.
vi.mock('dataloader', () => import('../../support/reads-of-process.ts'));
// Time is too fast for an index that another thread reads.
vi.mock('#domain/records/records-transport.ts', () => import('../sim/index-in-memory.ts'));
// Nor does the death of one process fail what another waits for.
vi.mock('#platform/coalesce.ts', () => ({ coalesce: (work: unknown) => work }));

test('costs, holds and balances are exact over random histories with deaths at any store call', {
  timeout: 180_000,
}, async () => {
  const { histories, faults, happenings } = await liveThrough(10, 21, () => void useMemoryTable());
  expect(faults).toEqual([]);
  expect(histories).toBe(10);
  // A history in which nothing happened proves nothing.
  expect(
    Math.min(
      ...[happenings.crashes, happenings.cancels, happenings.resumes],
      happenings.reruns,
      happenings.waits,
    ),
  ).toBeGreaterThan(0);
});
