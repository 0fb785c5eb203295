// Measures the first question of a new environment of Records, and later ones: `npm run prove -- bench:cold --help`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { misused } from '../../proof.ts';
import { BYTES_PER_MS, FIRST_BYTE_MS, startBucket } from './bucket.ts';

const HELP = `npm run prove -- bench:cold [--sizes N,N,…] [--dimensions 256]

  --sizes       how many records a workspace has (1000,100000,1000000)
  --dimensions  of the vector that each record has (256)
`;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    dimensions: { type: 'string', default: '256' },
    help: { type: 'boolean', default: false },
  },
});

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Bundles the function with the program that asks it: loading TypeScript would count as time of the function. */
function bundleEnvironment(outdir: string): string {
  buildSync({
    absWorkingDir: root,
    entryPoints: {
      asker: 'test/proofs/bench/cold/asker.ts',
      // The function looks for its thread under this name.
      'record-index': 'functions/record-index/thread.ts',
    },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['module', 'import'],
    minify: true,
    // The table in memory knows commands by their names.
    keepNames: true,
    // Bundled CommonJS expects it.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return join(outdir, 'asker.mjs');
}

async function measure(sizes: number[], dimensions: number): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'run-service-cold-'));
  const bucket = await startBucket(join(home, 'bucket'));
  try {
    Object.assign(process.env, {
      RECORD_INDEX_DIR: home,
      BUCKET_NAME: 'bodies',
      AWS_ENDPOINT_URL_S3: bucket.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      POWERTOOLS_LOG_LEVEL: 'SILENT',
    });
    // They read the variables when they load.
    const { measureSize, processors } = await import('./measure.ts');
    const { beyondTarget } = await import('./targets.ts');
    const program = bundleEnvironment(home);
    const figures = [];
    for (const size of sizes) figures.push(await measureSize({ home, bucket, program }, size, dimensions));
    const model = {
      processors: Math.round(processors * 100) / 100,
      bucket_mb_per_second: BYTES_PER_MS / 1000,
      bucket_first_byte_ms: FIRST_BYTE_MS,
    };
    const breaches = figures.flatMap((one) => one.breaches);
    const beyond_target = figures.flatMap(beyondTarget);
    process.stdout.write(`${JSON.stringify({ model, figures, beyond_target, breaches })}\n`);
    if (breaches.length > 0) process.exitCode = 1;
  } finally {
    await bucket.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const sizes = values.sizes.split(',').map(Number);
const dimensions = Number(values.dimensions);
if (values.help) process.stdout.write(HELP);
else if ([...sizes, dimensions].every((number) => Number.isInteger(number) && number > 0))
  await measure(sizes, dimensions);
else misused('--sizes and --dimensions take whole numbers');
