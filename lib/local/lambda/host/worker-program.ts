// The program of a function's thread, bundled once: loading TypeScript in each thread would take about 10 MB more.
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

let program: URL | undefined;

/** The program, as a module that a thread can start from. */
export function workerProgram(): URL {
  if (program) return program;
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./worker-main.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    logLevel: 'error',
  });
  program = new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
  return program;
}
