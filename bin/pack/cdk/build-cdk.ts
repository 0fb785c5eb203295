// Builds the package of the construct: its code for the CDK of others, its types, and the functions for AWS.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleFunctions, deployed } from '../../../lib/app.ts';
import { peerDependencies } from '../../../lib/package/peers.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = import.meta.dirname;

/** The names that `import` gets of the CommonJS file. */
const ESM = "import construct from './index.js';\nexport const { RunService } = construct;\n";

/** Builds it in `folder`, which must exist. */
export async function buildCdk(folder: string): Promise<void> {
  await Promise.all([
    // As CommonJS, so that the version of the CDK is checked before a name that it may lack is looked up.
    build({
      absWorkingDir: root,
      entryPoints: ['lib/package/index.ts'],
      outfile: join(folder, 'index.js'),
      bundle: true,
      minify: true,
      keepNames: true,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      legalComments: 'none',
      define: { 'import.meta.dirname': '__dirname' },
      external: ['aws-cdk-lib', 'aws-cdk-lib/*', 'constructs'],
      logLevel: 'error',
    }),
    bundleFunctions(join(folder, 'functions'), { ...deployed, sourceMaps: false }),
  ]);
  writeFileSync(join(folder, 'index.mjs'), ESM);
  const types = readFileSync(join(root, 'lib/published.d.ts'), 'utf8');
  writeFileSync(join(folder, 'index.d.ts'), types.replaceAll('./props.ts', './props.js'));
  // It has only types, so it is a file of declarations as well.
  copyFileSync(join(root, 'lib/props.ts'), join(folder, 'props.d.ts'));
  copyFileSync(join(here, 'package.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

function manifest() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'run-service-cdk',
    version,
    description: 'The run service as a construct for the AWS CDK, with its functions built.',
    license,
    engines: { node: '>=20.19' },
    main: 'index.js',
    types: 'index.d.ts',
    exports: {
      '.': { types: './index.d.ts', import: './index.mjs', require: './index.js' },
      './package.json': './package.json',
    },
    peerDependencies,
    files: ['index.js', 'index.mjs', '*.d.ts', 'functions'],
  };
}
