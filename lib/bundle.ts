// Bundles every handler with one esbuild call.
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const replacements = new Map<string, string>();

/** Bundles CommonJS dependencies expect a `require`. */
const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Ways to find credentials that the SDK loads only when the environment holds none; in a Lambda it always does. */
const UNUSED_CREDENTIALS = [
  ...['sso', 'ini', 'process', 'web-identity', 'login'].map((kind) => `@aws-sdk/credential-provider-${kind}`),
  '@smithy/credential-provider-imds',
];

/**
 * Makes later bundles of this process take `to` wherever `from` is imported (paths from the project root); `to` itself
 * still gets the real one. Only the local start calls it: a deployed bundle is never made in such a process.
 */
export function replaceModule(from: string, to: string): void {
  replacements.set(resolve(root, from), resolve(root, to));
}

/**
 * Bundles each function to `<outdir>/<name>/index.mjs` and returns the absolute folder of each.
 * `entries` maps function names to source files (paths from the project root).
 */
export async function bundle<Name extends string>(
  outdir: string,
  entries: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const sources = Object.entries<string>(entries);
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(sources.map(([name, file]) => [`${name}/index`, resolve(root, file)])),
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
    plugins: replacements.size > 0 ? [replacing()] : [],
  });
  const folders: Record<Name, string> = { ...entries };
  for (const name in folders) folders[name] = resolve(outdir, name);
  return folders;
}

function replacing(): Plugin {
  return {
    name: 'replace-modules',
    setup({ onResolve, resolve: resolvePath }) {
      onResolve({ filter: /^[#.]/ }, async (found) => {
        if (found.pluginData === 'resolving' || found.kind === 'entry-point') return undefined;
        const { path } = await resolvePath(found.path, {
          resolveDir: found.resolveDir || dirname(found.importer),
          kind: found.kind,
          importer: found.importer,
          pluginData: 'resolving',
        });
        const other = replacements.get(path);
        return other && found.importer !== other ? { path: other } : undefined;
      });
    },
  };
}
