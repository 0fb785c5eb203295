// What failed in a run: single items are one line with their step, and only what ended the run is an error of its own.
import { expect, test } from 'vitest';
import {
  failedItems,
  otherWarnings,
  ownErrors,
  reasonsOf,
  successText,
} from '../../clients/console/view-models/failed-items.ts';
import type { RunError, Warning } from '../../clients/sdk/index.ts';

const error = (message: string, details?: object): RunError => ({
  code: 'model_unavailable',
  type: 'unavailable',
  message,
  doc_url: 'https://example.com/docs/errors',
  ...(details && { details: { ...details } }),
});
const ofItem = (step_index: number, item_index: number, message = 'away') =>
  error(message, { step_index, item_index, item_id: `id${item_index}` });
const counted: Warning = {
  code: 'partial_failure',
  message: '2 of 1024 items could not be transformed.',
  step_index: 1,
  details: { failed: 2, total: 1024 },
};
const unread: Warning = { code: 'query_partly_understood', message: '', details: { words: ['x'] } };
const cut: Warning = { code: 'results_truncated', message: '' };

test('the items of a step that failed are one entry, with how many it worked on', () => {
  const errors = [ofItem(1, 2), error('the run'), ofItem(1, 7), ofItem(3, 0, 'refused')];
  const [first, second] = failedItems({ errors, warnings: [counted] });
  expect(first).toMatchObject({ stepIndex: 1, failed: 2, total: 1024 });
  expect(first?.items.map(({ id, index }) => [id, index])).toEqual([
    ['id2', 2],
    ['id7', 7],
  ]);
  expect([first, second].map((one) => one && successText(one))).toEqual([
    '1,022 of 1,024 items',
    '1 item failed',
  ]);
  expect([first, second].map((one) => one && reasonsOf(one))).toEqual([['away'], ['refused']]);
});

test('an error of the run is none of its items, and the status says that it was canceled', () => {
  const canceled: RunError = { ...error(''), code: 'canceled_by_user' };
  expect(ownErrors([ofItem(0, 0), error('the run'), canceled])).toEqual([error('the run')]);
});

test('what the question or the line of failed items says is no warning again', () => {
  const warnings = [counted, unread, cut];
  expect(otherWarnings({ errors: [ofItem(1, 2)], warnings })).toEqual([cut]);
  expect(otherWarnings({ errors: [], warnings })).toEqual([counted, cut]);
});
