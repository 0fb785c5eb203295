// `npm run prove -- sim:scale [--share 0.02] [--one-partition] [--import 20000] [--consecutive-ids] [--read-alone]`: a
// stack with 100,000 workspaces, 20,000 runs in flight and 1,000 creates a second, in virtual time: what each partition
// is written and read in a second, and whether the sweep fits in its minute. Then 10,000 monitors that are due at the
// same minute. Then an import while 200 changes a second come and 30 readers ask. `--share`: this share of what waits for
// the sweep, and of the workspaces with monitors, really exists. Planted faults: `--one-partition`, one partition a kind
// in the index; `--consecutive-ids`, an import that always writes at the end; `--read-alone`, readers that share nothing.
// Prints one JSON line; exit 1 when a partition gets more than DynamoDB gives it, Step Functions refuses a start, the
// sweep takes too long, a monitor fires late, the import ends early or takes too long, or a question is never answered.
import './prepare.ts';
import './prepare-import.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '0.02' },
    'one-partition': { type: 'boolean', default: false },
    import: { type: 'string', default: '20000' },
    'consecutive-ids': { type: 'boolean', default: false },
    'read-alone': { type: 'boolean', default: false },
  },
});
const { measure } = await import('./large-stack.ts');
const { measureDueMonitors } = await import('./due-monitors.ts');
const { measureImport } = await import('./large-import.ts');

const startedAt = performance.now();
const share = Number(values.share);
const report = await measure(share, values['one-partition']);
const monitors = await measureDueMonitors(share, values['one-partition']);
const imported = await measureImport(Number(values.import), {
  hasConsecutiveIds: values['consecutive-ids'],
  readsAlone: values['read-alone'],
});
const breaches = [...report.breaches, ...monitors.breaches, ...imported.breaches];
const seconds = Math.round((performance.now() - startedAt) / 1000);
process.stdout.write(`${JSON.stringify({ ...report, monitors, import: imported, breaches, seconds })}\n`);
process.exitCode = breaches.length > 0 ? 1 : 0;
