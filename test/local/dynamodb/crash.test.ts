// Whatever the embedded engine has acknowledged is there after its process is killed, and after the power is cut.
import { expect, test } from 'vitest';
import { cutPower } from '../../proofs/crash/cut-power.ts';
import { killWriters } from '../../proofs/crash/kill-writers.ts';

const SEED = 20_261_122;

test('killed processes and ended threads lose nothing that was acknowledged, and leave nothing half done', async () => {
  const { acknowledged, breaches } = await killWriters(6, 3, SEED);
  expect(breaches).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
});

test('cuts of power lose nothing that was acknowledged', async () => {
  const { acknowledged, breaches } = await cutPower(60, SEED);
  expect(breaches).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
});

test('the proof detects a disk that only claims to have saved', async () => {
  const { breaches } = await cutPower(20, SEED, 'lying');
  expect(breaches).not.toEqual([]);
});
