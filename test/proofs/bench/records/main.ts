// Measures records at several sizes: `npm run prove -- bench:records --help`. JSON on stdout, a table on stderr.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { madeProgram } from '../../../../bin/program/made-program.ts';
import { installAssembly } from '../../../../lib/local/cli/install-assembly.ts';
import { measureRecords } from './measure.ts';

const HELP = `npm run prove -- bench:records [--sizes N,N,…] [--data-dir DIR]

  --sizes     how many records a workspace has (1000,100000,1000000)
  --data-dir  keeps the filled workspaces, and uses again those that an earlier bench has kept there
`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    'data-dir': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

type Figures = Awaited<ReturnType<typeof measureRecords>>;

function print(figures: Figures[]): void {
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  const row = (name: string, cellOf: (one: Figures) => number | undefined) =>
    process.stderr.write(
      `${name.padEnd(28)}${figures.map((one) => String(cellOf(one) ?? '').padStart(12)).join('')}\n`,
    );
  row('ms, median', ({ size }) => size);
  for (const name of Object.keys(figures[0]?.medians_ms ?? {}))
    row(name, ({ medians_ms }) => medians_ms[name]);
  row('first after import', ({ first_after_import_ms }) => first_after_import_ms);
  for (const name of Object.keys(figures[0]?.medians_ms ?? {}))
    row(`soon after: ${name}`, ({ after_import_ms }) => after_import_ms[name]);
  row('first after start', ({ cold_ms }) => cold_ms);
  row('imported a second', ({ import_per_second }) => import_per_second);
  row('resident MB', ({ resident_mb }) => resident_mb);
  row('read units: run alone', ({ run_without_a_read }) => run_without_a_read.read_units);
  for (const name of Object.keys(figures[0]?.reads ?? {}))
    row(`read units: ${name}`, ({ reads }) => reads[name]?.read_units);
  for (const name of Object.keys(figures[0]?.reads_after_import ?? {}))
    row(`soon after: ${name}`, ({ reads_after_import }) => reads_after_import[name]?.read_units);
}

async function measure(sizes: number[], dataDir: string | undefined): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'run-service-records-'));
  const home = dataDir ?? scratch;
  try {
    mkdirSync(home, { recursive: true });
    const assembly = installAssembly(await madeProgram(), join(scratch, 'cdk.out'));
    const figures: Figures[] = [];
    for (const size of sizes) figures.push(await measureRecords(assembly, home, size));
    print(figures);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const sizes = values.sizes.split(',').map(Number);
if (values.help) process.stdout.write(HELP);
else if (sizes.every((size) => Number.isInteger(size) && size > 0)) await measure(sizes, values['data-dir']);
else {
  process.stderr.write('--sizes takes whole numbers, comma-separated\n');
  process.exitCode = 2;
}
