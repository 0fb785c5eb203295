// `npm run prove -- money [--n 10000] [--seed 1]`: random histories over a table in memory. Prints one JSON line; then
// 200 creates at once where 50 fit. Exit 1 when the money was wrong anywhere.
import '../sim/prepare.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { n: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const { useMemoryTable } = await import('../../support/memory-table/use-memory-table.ts');
const { crowdBreaches } = await import('./crowd.ts');
const { liveThrough } = await import('./histories.ts');
const startedAt = performance.now();
const fresh = () => void useMemoryTable();
const { faults, ...outcome } = await liveThrough(Number(values.n), Number(values.seed), fresh);
faults.push(...(await crowdBreaches()));
const seconds = Math.round((performance.now() - startedAt) / 1000);
const report = { seed: Number(values.seed), ...outcome, seconds, breaches: faults.slice(0, 20) };
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
