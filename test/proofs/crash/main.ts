// `npm run prove -- crash`: kills, ended threads and cuts of power; with `--planted`, whether a disk is found that loses
// what it has reported as durable. Prints JSON; exit code 0 only without a breach, or with the planted one.
import { parseArgs } from 'node:util';
import { cutPower } from './cut-power.ts';
import { killWriters } from './kill-writers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    terminations: { type: 'string', default: '3' },
    cuts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    planted: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const print = (report: object) =>
  void process.stdout.write(`${JSON.stringify({ seed, ...report }, undefined, 2)}\n`);

async function prove(): Promise<boolean> {
  const killed = await killWriters(Number(values.kills), Number(values.terminations), seed);
  const cut = await cutPower(Number(values.cuts), seed);
  print({ killed, cut });
  return killed.breaches.length + cut.breaches.length === 0;
}

async function findPlanted(): Promise<boolean> {
  const { breaches, ...cut } = await cutPower(Number(values.cuts), seed, 'lying');
  const found = breaches.length > 0;
  print({
    planted: 1,
    found: Number(found),
    missed: found ? [] : ['a disk that only claims to have saved'],
    cut,
  });
  return found;
}

process.exitCode = (await (values.planted ? findPlanted() : prove())) ? 0 : 1;
