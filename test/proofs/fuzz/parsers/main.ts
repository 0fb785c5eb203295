// The fuzz of parsers: `npm run prove -- fuzz:parsers --n 5000 --seed S`; one JSON object, exit code 1 when a call
// takes too long. `--only K` is one input; without it those that were slow once come after the random ones.
import { parseArgs } from 'node:util';
import { timeParsers } from './run.ts';

const ALLOWED_MS = 100;

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const first = Number(values.only ?? 0);
const end = values.only === undefined ? Number(values.n) : first + 1;
const begun = Date.now();
const known = values.only === undefined;
const worst = await timeParsers({ seed, first, end, known, suspect_ms: ALLOWED_MS });
const breaches = worst.filter(({ ms }) => ms > ALLOWED_MS);
const seconds = (Date.now() - begun) / 1000;
process.stdout.write(
  `${JSON.stringify({ seed, inputs: end - first, allowed_ms: ALLOWED_MS, breaches, worst, seconds })}\n`,
);
process.exitCode = breaches.length > 0 ? 1 : 0;
