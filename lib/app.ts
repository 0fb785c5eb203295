// The CDK app: bundles the functions and synthesizes the stack.
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import { type BundleOptions, bundleApart, bundleTogether } from './build/bundle.ts';
import { bundleConsole } from './build/bundle-console.ts';
import type { FunctionSource } from './constructs/service-function.ts';
import { entries, type FunctionName, functionNames } from './entries.ts';
import { permissions, permissionsOf } from './permissions.ts';
import { ServiceStack } from './service-stack.ts';
import { readStage } from './stage.ts';

/** The thread that owns record indexes. */
const INDEX_THREAD = 'functions/record-index/thread.ts';

/** A stage uses one of the models, so each model is a file that is loaded on demand. */
const modelCallers = functionNames.filter((name) => permissions[name].model === 'call');

/** How the functions of a stage are built. */
interface Build {
  /** Whether functions answer their questions to records themselves. */
  answersItself: boolean;
  bundle(outdir: string): Promise<unknown>;
  sourceOf(outdir: string, name: FunctionName): FunctionSource;
}

/** Bundles functions with code of their own. */
async function ownCode(
  outdir: string,
  names: readonly FunctionName[],
  answersItself: boolean,
  options: BundleOptions,
) {
  const threads = names
    .filter((name) => permissionsOf(name, answersItself).record_index)
    .map((name) => [`${name}/record-index`, INDEX_THREAD]);
  await bundleApart(outdir, sourcesOf(names), {
    ...options,
    companions: Object.fromEntries(threads),
    split: modelCallers,
  });
}

const sourcesOf = (names: readonly FunctionName[]) =>
  Object.fromEntries(names.map((name) => [name, entries[name]]));

const ownSource = (outdir: string, name: FunctionName): FunctionSource => ({
  code: Code.fromAsset(join(outdir, name)),
  handler: 'index.handler',
});

/** For AWS: code of their own starts and runs fastest. */
export const deployed: Build = {
  answersItself: false,
  async bundle(outdir) {
    const assets = bundleConsole(join(outdir, 'Console', 'assets'));
    await Promise.all([ownCode(outdir, functionNames, false, { sourceMaps: true }), assets]);
  },
  sourceOf: ownSource,
};

/** What a run needs, and those who watch it. */
const BUSY: readonly FunctionName[] = [
  'CreateRun',
  'GetRun',
  'ListEvents',
  'StreamEvents',
  'ExecuteSteps',
  'DeliverWebhook',
];
const SHARED = 'shared';

/**
 * For one machine, some of whose modules are replaced. Only the busy functions have code of their own: shared code
 * bundles five times as fast, for a short first start, and runs a tenth slower.
 */
export const local = (replacements: BundleOptions['replacements']): Build => ({
  answersItself: true,
  async bundle(outdir) {
    const others = sourcesOf(functionNames.filter((name) => !BUSY.includes(name)));
    const shared = join(outdir, SHARED);
    await Promise.all([
      ownCode(outdir, BUSY, true, { replacements }),
      bundleTogether(shared, { ...others, 'record-index': INDEX_THREAD }, { replacements }),
      bundleConsole(join(shared, 'assets')),
    ]);
  },
  sourceOf: (outdir, name) =>
    BUSY.includes(name)
      ? ownSource(outdir, name)
      : { code: Code.fromAsset(join(outdir, SHARED)), handler: `${name}.handler` },
});

/** Bundles the functions and writes the cloud assembly to the CDK's output folder. */
export async function synthesizeApp({ bundle, sourceOf, answersItself }: Build): Promise<void> {
  // Feature flags also apply when no CDK command passes them, so every run makes the same template.
  const app = new App({ context: cdk.context });
  const stage = readStage(app.node);
  const bundles = join(app.outdir, 'bundles');
  await bundle(bundles);
  new ServiceStack(app, stage.stack, {
    stage,
    sourceOf: (name) => sourceOf(bundles, name),
    answersItself,
    description: 'Asynchronous run service',
  });
  app.synth();
}
