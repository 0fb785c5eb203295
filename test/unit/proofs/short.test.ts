// When a short form of a campaign fails, and what its line says.
import { expect, test } from 'vitest';
import { faultOf } from '../../proofs/short/fault-of.ts';

const outcome = (report: object, exit_code = 0) => ({
  ...{ exit_code, is_late: false, stderr: 'a line\nthe last line\n' },
  stdout: JSON.stringify(report),
});
const form = { least: { 'fired.lost': 2, commits: 10 } };

test('a campaign that has worked and found nothing passes', () => {
  expect(faultOf(form, outcome({ fired: { lost: 2 }, commits: 10, breaches: 0 }))).toBeUndefined();
});

test('a breach is shown, wherever the report has it, or else the error that ended it', () => {
  const report = { killed: { breaches: [] }, cut: { breaches: ['row 7 is gone', 'row 8'] } };
  expect(faultOf(form, outcome(report, 1))).toBe('breach: row 7 is gone');
  const died = { ...outcome({}, 1), stdout: '' };
  expect(faultOf(form, died)).toBe('breach: the last line');
  expect(faultOf(form, { ...died, stderr: 'TypeError: no\n    at x\n\nNode.js v24\n' })).toBe(
    'breach: TypeError: no',
  );
});

test('a campaign that does not decide in its time fails', () => {
  expect(faultOf(form, { ...outcome({}), exit_code: null, is_late: true })).toMatch(
    /^did not decide in \d+ s$/,
  );
});

test('a campaign that does too little to prove anything fails', () => {
  expect(faultOf(form, outcome({ fired: {}, commits: 9 }))).toBe(
    'too few operations: fired.lost is absent, and less than 2 proves nothing; commits is 9, and less than 10 proves nothing',
  );
});
