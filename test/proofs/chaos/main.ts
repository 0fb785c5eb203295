// The long form of the kill test, `npm run prove -- chaos [--runs 200] [--kills 15] [--seed N]`: one line of JSON, exit
// 1 on a breach. What its clients saw is judged like the histories of `histories`, where there is Go.
import { parseArgs } from 'node:util';
import { judgeHere } from '../histories/checker.ts';
import { createRecorder } from '../histories/recorder.ts';
import { killTrial } from './kill-trial.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    kills: { type: 'string', default: '15' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const { watch, operations } = createRecorder();
const trial = { runs: Number(values.runs), kills: Number(values.kills), seed: Number(values.seed) };
const report = await killTrial({ ...trial, delivered: true }, { watch });
const { judged, breaches } = judgeHere([operations]);
report.breaches.push(...breaches);
process.stdout.write(`${JSON.stringify({ ...report, operations: operations.length, judged })}\n`);
process.exitCode = report.breaches.length === 0 && report.acknowledged === report.runs ? 0 : 1;
