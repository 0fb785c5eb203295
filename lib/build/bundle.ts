// Bundles every handler with one esbuild call.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles CommonJS dependencies expect a `require`. */
const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Ways to find credentials that the SDK loads only when the environment holds none; in a Lambda it always does. */
const UNUSED_CREDENTIALS = [
  ...['sso', 'ini', 'process', 'web-identity', 'login'].map((kind) => `@aws-sdk/credential-provider-${kind}`),
  '@smithy/credential-provider-imds',
];

export interface BundleOptions {
  /** Modules by the name they are imported under (`#folder/file.ts`), and the files that stand in for them. */
  replacements?: Readonly<Record<string, string>>;
  /** Further programs: `<name>/<file>` without its ending, beside the function of that name, and the source file. */
  beside?: Readonly<Record<string, string>>;
}

/**
 * Bundles each function to `<outdir>/<name>/index.mjs` and returns the absolute folder of each. `entries` maps function names to source
 * files (all paths from the project root).
 */
export async function bundle<Name extends string>(
  outdir: string,
  entries: Readonly<Record<Name, string>>,
  { replacements = {}, beside = {} }: BundleOptions = {},
): Promise<Record<Name, string>> {
  const sources = Object.entries<string>(entries);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      [...sources.map(([name, file]) => [`${name}/index`, file] as const), ...Object.entries(beside)].map(
        ([output, file]) => [output, resolve(root, file)],
      ),
    ),
    outdir: resolve(outdir),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    conditions: ['module', 'import'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: BANNER },
    external: UNUSED_CREDENTIALS,
    logLevel: 'error',
    alias: Object.fromEntries(
      Object.entries(replacements).map(([name, file]) => [name, resolve(root, file)]),
    ),
  });
  const folders: Record<Name, string> = { ...entries };
  for (const name in folders) folders[name] = resolve(outdir, name);
  return folders;
}
