// The long form of the kill test, `npm run prove -- chaos [--runs 200] [--kills 15] [--seed N]`: one line of JSON, exit
// 1 on a breach.
import { parseArgs } from 'node:util';
import { killTrial } from './kill-trial.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    kills: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const report = await killTrial({
  runs: Number(values.runs),
  kills: Number(values.kills),
  seed: Number(values.seed),
  delivered: true,
});
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = report.breaches.length === 0 && report.acknowledged === report.runs ? 0 : 1;
