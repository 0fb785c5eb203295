// The costliest requests that a key may send, one after the other on a service that has just started: what each takes
// of the processor and of memory, and how long a neighbor's fetch of one record takes beside it. `npm run prove --
// abuse:costly [--only NAME,…] [--seed N]`, one JSON report.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { end, liftLimits, startChild } from '../../bench/child.ts';
import { BOUNDS, type Figures, measure } from './measure.ts';
import { requests } from './requests.ts';
import { costlyTenant } from './tenant.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string', default: '7' } },
});
const only = values.only?.split(',');
const dataDir = mkdtempSync(join(tmpdir(), 'run-service-costly-'));
try {
  const { child, target } = await startChild(dataDir);
  const costly = await costlyTenant(dataDir, target.base_url, Number(values.seed))
    .finally(() => liftLimits(dataDir, target.workspace_id))
    .finally(() => end(child));
  const figures: Record<string, Figures> = {};
  for (const [name, send] of Object.entries(requests)) {
    if (only && !only.includes(name)) continue;
    figures[name] = await measure(dataDir, costly, send);
    process.stderr.write(`${name} ${JSON.stringify(figures[name])}\n`);
  }
  const breaches = Object.entries(figures).flatMap(([name, of]) =>
    (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[])
      .filter((figure) => of[figure] > BOUNDS[figure])
      .map((figure) => `${name}: ${figure} ${of[figure]}`),
  );
  process.stdout.write(`${JSON.stringify({ bounds: BOUNDS, figures, breaches }, undefined, 2)}\n`);
  process.exitCode = breaches.length > 0 ? 1 : 0;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
