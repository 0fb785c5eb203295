// `npm run prove -- crash`: kills, ended threads and cuts of power. Prints JSON; exit code 0 only without a breach.
import { parseArgs } from 'node:util';
import { cutPower } from './cut-power.ts';
import { killWriters } from './kill-writers.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    terminations: { type: 'string', default: '3' },
    cuts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const seed = Number(values.seed);
const killed = await killWriters(Number(values.kills), Number(values.terminations), seed);
const cut = await cutPower(Number(values.cuts), seed);
process.stdout.write(`${JSON.stringify({ seed, killed, cut }, undefined, 2)}\n`);
process.exitCode = killed.breaches.length + cut.breaches.length === 0 ? 0 : 1;
