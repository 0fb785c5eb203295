// `npm run prove -- sync [--messages 10000] [--seed N]`: inbound sync over a table in memory, one message after the
// other and many at once. Prints one JSON line; exit 1 when a workspace differs from the model anywhere.
import '../sim/prepare.ts';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const { secretHex } = await import('../../support/bridges.ts');
const { openSecrets } = await import('../../support/fakes.ts');
const { useMemoryTable } = await import('../../support/memory-table/use-memory-table.ts');
const { message } = await import('./model.ts');
const { atOnce, oneAfterTheOther } = await import('./prove.ts');

const EACH = 200;
const SHOWN = 20;
const wanted = Number(values.messages);
const seed = Number(values.seed);
const startedAt = performance.now();
openSecrets(secretHex);

let sent = 0;
const breaches: string[] = [];
for (let round = 0; sent < wanted; round += 1) {
  useMemoryTable();
  const drawn = fc.sample(message, { seed: seed + round, numRuns: EACH });
  const found =
    round % 2 === 0
      ? await oneAfterTheOther(drawn)
      : await atOnce(drawn.filter(({ type }) => type !== 'employment'));
  sent += round % 2 === 0 ? drawn.length : drawn.filter(({ type }) => type !== 'employment').length;
  breaches.push(...found.map((what) => `round ${round}: ${what}`));
}
const seconds = Math.round((performance.now() - startedAt) / 1000);
const report = {
  messages: sent,
  seed,
  seconds,
  breaches: breaches.length,
  first_breaches: breaches.slice(0, SHOWN),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = breaches.length > 0 ? 1 : 0;
