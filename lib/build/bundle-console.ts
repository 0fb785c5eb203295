// Bundles the console for browsers: one entry, pages loaded on demand, content-hashed names.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import openapi from '../../functions/contract/openapi.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Advice for each error code: the only part of the contract that the console always loads. */
const advice = Object.fromEntries(
  Object.entries(openapi.components.schemas.Error['x-error-codes']).map(([code, entry]) => [
    code,
    { remedy: entry.remedy, ...('reasons' in entry && { reasons: entry.reasons }) },
  ]),
);

const forBrowsers = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'error',
} as const;

/** Writes `main-<hash>.js`, `main-<hash>.css` and their chunks to `outdir`, and `reference.js`, which loads nothing. */
export async function bundleConsole(outdir: string): Promise<void> {
  const app = build({
    ...forBrowsers,
    entryPoints: { main: 'clients/console/main.tsx' },
    outdir: resolve(outdir),
    entryNames: '[name]-[hash]',
    chunkNames: 'chunk-[hash]',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { ADVICE: JSON.stringify(advice) },
    // The build that brings what browsers lack of Node.
    alias: { 'csv-parse': 'csv-parse/browser/esm' },
  });
  const reference = build({
    ...forBrowsers,
    entryPoints: { reference: 'clients/console/reference/script.ts' },
    outdir: resolve(outdir),
  });
  await Promise.all([app, reference]);
}
