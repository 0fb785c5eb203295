// Bundles the handlers with esbuild.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundled CommonJS dependencies expect a `require`. */
const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Credential providers that the SDK loads only when the environment has no credentials; in a Lambda it always has. */
const UNUSED_CREDENTIALS = [
  ...['sso', 'ini', 'process', 'web-identity', 'login'].map((kind) => `@aws-sdk/credential-provider-${kind}`),
  '@smithy/credential-provider-imds',
];

const forNode = {
  absWorkingDir: root,
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
} as const satisfies BuildOptions;

export interface BundleOptions {
  /** Modules by the name they are imported under (`#folder/file.ts`), and the files that replace them. */
  replacements?: Readonly<Record<string, string>>;
  /** Writes a source map next to each file, so that stacks name lines of the source. */
  sourceMaps?: boolean;
}

interface FunctionOptions extends BundleOptions {
  /**
   * Further programs: `<name>/<file>` without its extension, next to the function of that name, and the source file.
   */
  companions?: Readonly<Record<string, string>>;
  /** Functions whose dynamic imports become files of their own. Each takes a separate build. */
  split?: readonly string[];
}

type Sources = Readonly<Record<string, string>>;

/**
 * Bundles each function to `<outdir>/<name>/index.mjs`. `entries` maps function names to source files. All source paths
 * start at the project root.
 */
export async function bundle(
  outdir: string,
  entries: Sources,
  { companions = {}, split = [], ...options }: FunctionOptions = {},
): Promise<void> {
  const common = settings(options);
  const together = Object.entries(entries).filter(([name]) => !split.includes(name));
  const separate = Object.entries(entries).filter(([name]) => split.includes(name));
  await Promise.all([
    build({
      ...common,
      outdir: resolve(outdir),
      entryPoints: {
        ...Object.fromEntries(together.map(([name, file]) => [`${name}/index`, file])),
        ...companions,
      },
    }),
    ...separate.map(([name, file]) =>
      build({ ...common, ...splitting, outdir: resolve(outdir, name), entryPoints: { index: file } }),
    ),
  ]);
}

const splitting = { splitting: true, chunkNames: '[name]-[hash]' } as const;

const settings = ({ replacements = {}, sourceMaps = false }: BundleOptions) => ({
  ...forNode,
  ...(sourceMaps && ({ sourcemap: 'linked', sourcesContent: false } as const)),
  alias: Object.fromEntries(Object.entries(replacements).map(([name, file]) => [name, resolve(root, file)])),
});
