// Measures records at several sizes: `npm run bench:records -- --sizes 1000,100000,1000000`. JSON on stdout, a table on stderr.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../lib/local/cli/synth.ts';
import { measureRecords } from '../test/bench/records.ts';

const { values } = parseArgs({ options: { sizes: { type: 'string', default: '1000,100000,1000000' } } });
const sizes = values.sizes.split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 1)) {
  process.stderr.write('--sizes takes whole numbers, comma-separated\n');
  process.exit(2);
}
const home = mkdtempSync(join(tmpdir(), 'run-service-records-'));
try {
  const assembly = join(home, 'cdk.out');
  await synthesize({ outdir: assembly, context: { model: 'offline' }, allowLocalCallbacks: true });
  const figures = [];
  for (const size of sizes) figures.push(await measureRecords(assembly, home, size));
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  const names = Object.keys(figures[0]?.medians_ms ?? {});
  const row = (name: string, cells: (string | number)[]) =>
    `${name.padEnd(20)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  process.stderr.write(
    row(
      'ms, median',
      figures.map(({ size }) => size),
    ),
  );
  for (const name of names)
    process.stderr.write(
      row(
        name,
        figures.map(({ medians_ms }) => medians_ms[name] ?? ''),
      ),
    );
  process.stderr.write(
    row(
      'import per second',
      figures.map(({ import_per_second }) => import_per_second),
    ),
  );
  process.stderr.write(
    row(
      'resident MB',
      figures.map(({ resident_mb }) => resident_mb),
    ),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
