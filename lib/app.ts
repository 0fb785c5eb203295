// The CDK app: bundles the functions and synthesizes the stack.
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import project from '../package.json' with { type: 'json' };
import { type BundleOptions, bundle } from './build/bundle.ts';
import { bundleConsole } from './build/bundle-console.ts';
import { entries, functionNames } from './entries.ts';
import { permissions, permissionsOf } from './permissions.ts';
import { propsOf } from './read-props.ts';
import { RunService } from './run-service.ts';
import { readStage } from './stage.ts';

/** The thread that owns record indexes. */
const INDEX_THREAD = 'functions/record-index/thread.ts';

/** How the functions of a stage are built. */
interface Build extends BundleOptions {
  /** Whether functions answer their questions to records themselves. */
  answersItself: boolean;
}

/** For AWS. */
export const deployed: Build = { answersItself: false, sourceMaps: true };

/** For one machine, some of whose modules are replaced. */
export const local = (replacements: NonNullable<BundleOptions['replacements']>): Build => ({
  answersItself: true,
  replacements,
});

/** Bundles each function to a folder of its name: code apart from others starts and runs fastest. */
export async function bundleFunctions(outdir: string, { answersItself, ...options }: Build): Promise<void> {
  const threads = functionNames
    .filter((name) => permissionsOf(name, answersItself).record_index)
    .map((name) => [`${name}/record-index`, INDEX_THREAD]);
  await Promise.all([
    bundle(outdir, entries, {
      ...options,
      companions: Object.fromEntries(threads),
      // A stage uses one of the models, so each model is a file that is loaded on demand.
      split: functionNames.filter((name) => permissions[name].model === 'call'),
    }),
    bundleConsole(join(outdir, 'Site', 'assets')),
  ]);
}

/** Bundles the functions and writes the cloud assembly to the CDK's output folder. */
export async function synthesizeApp(build: Build): Promise<void> {
  // Feature flags also apply when no CDK command passes them, so every run makes the same template.
  const app = new App({ context: cdk.context });
  const stage = readStage(app.node);
  const bundles = join(app.outdir, 'bundles');
  await bundleFunctions(bundles, build);
  const props = { ...propsOf(stage), description: 'Asynchronous run service' };
  new RunService(app, stage.stack, props, {
    sourceOf: (name) => ({ code: Code.fromAsset(join(bundles, name)), handler: 'index.handler' }),
    answersItself: build.answersItself,
    release: project.version,
  });
  app.synth();
}
