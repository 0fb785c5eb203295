// The CDK app: bundles the functions and synthesizes the stack.
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import { type BundleOptions, bundle } from './build/bundle.ts';
import { bundleConsole } from './build/bundle-console.ts';
import { entries, functionNames } from './entries.ts';
import { permissions, permissionsOf } from './permissions.ts';
import { ServiceStack } from './service-stack.ts';
import { readStage } from './stage.ts';

/** Whether functions answer their questions to records themselves: one of the replacements has them do so. */
const answersItself = ({ replacements = {} }: AppOptions) => '#domain/records/ask-reader.ts' in replacements;

/** The thread that owns record indexes, next to each function that opens one. */
const threads = (options: AppOptions) =>
  Object.fromEntries(
    functionNames
      .filter((name) => permissionsOf(name, answersItself(options)).record_index)
      .map((name) => [`${name}/record-index`, 'functions/record-index/thread.ts']),
  );

/** A stage uses one of the models, so each model is a file that is loaded on demand. */
const modelCallers = functionNames.filter((name) => permissions[name].model === 'call');

type AppOptions = Pick<BundleOptions, 'replacements' | 'sourceMaps'>;

/** Bundles all functions to `outdir`. */
const bundleFunctions = (outdir: string, options: AppOptions) =>
  bundle(outdir, entries, { ...options, companions: threads(options), split: modelCallers });

/** Writes the cloud assembly to the CDK's output folder. A deployed stage replaces no module. */
export async function synthesizeApp(options: AppOptions): Promise<void> {
  // Feature flags also apply when no CDK command passes them, so every run makes the same template.
  const app = new App({ context: cdk.context });
  const stage = readStage(app.node);
  const bundles = join(app.outdir, 'bundles');
  await Promise.all([bundleFunctions(bundles, options), bundleConsole(join(bundles, 'Console', 'assets'))]);
  new ServiceStack(app, stage.stack, {
    stage,
    codeOf: (name) => Code.fromAsset(join(bundles, name)),
    answersItself: answersItself(options),
    description: 'Asynchronous run service',
  });
  app.synth();
}
