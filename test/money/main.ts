// `node test/money/main.ts [histories] [first seed]`: prints one JSON line; exit 1 when the money was wrong anywhere.
import { readTableShape } from '../support/table-shape.ts';
import { liveThrough } from './histories.ts';

const [histories = '2000', seed = '1'] = process.argv.slice(2);
const startedAt = performance.now();
const outcome = await liveThrough(Number(histories), Number(seed), readTableShape());
const seconds = Math.round((performance.now() - startedAt) / 1000);
const { faults, ...rest } = outcome;
process.stdout.write(
  `${JSON.stringify({ ...rest, seconds, faults: faults.length, first_faults: faults.slice(0, 20) })}\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
