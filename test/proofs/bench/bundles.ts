// How large each function's bundle is, and how long a fresh process takes to import it.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFunctions, deployed } from '../../../lib/app.ts';

const IMPORT = `globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: {} };
const begun = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - begun));
process.exit(0);`;

/** By function, bundled to `folder` as for AWS: size in KB (minified), import in ms (best of three). */
export async function measureBundles(
  folder: string,
): Promise<Record<string, { kb: number; import_ms: number }>> {
  await bundleFunctions(folder, deployed);
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const file = join(folder, name, 'index.mjs');
      const times = [1, 2, 3].map(() =>
        Number(
          execFileSync(process.execPath, ['--input-type=module', '-e', IMPORT, pathToFileURL(file).href], {
            env: { ...process.env, AWS_REGION: 'us-east-1' },
          }),
        ),
      );
      return [
        name,
        { kb: Math.round(statSync(file).size / 1000), import_ms: Math.round(Math.min(...times)) },
      ];
    }),
  );
}
