// A question about records whose index is busy is answered as one that is behind: a step tries it again.
import { expect, test, vi } from 'vitest';
import { answerQuestion } from '#domain/records/records-server.ts';
import { IndexBusy } from '#record-index/index-errors.ts';

vi.mock('../../../../functions/domain/records/current-index.ts', () => ({
  currentIndex: () => Promise.reject(new IndexBusy('database is locked')),
  loseIndex: () => Promise.reject(new Error('not damaged')),
}));

test('a busy index is behind', async () => {
  const answer = await answerQuestion({ workspace_ids: ['W'], operation: 'types', budget_ms: 1 });
  expect(answer).toEqual({ outcome: 'behind' });
});
