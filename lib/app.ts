// The CDK app: bundles the functions and synthesizes the stack.
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import { bundle } from './build/bundle.ts';
import { bundleConsole } from './build/bundle-console.ts';
import { entries, functionNames } from './entries.ts';
import { permissions } from './permissions.ts';
import { ServiceStack } from './service-stack.ts';
import { readStage } from './stage.ts';

/** The thread that owns record indexes, beside each function that opens one. */
const threads = Object.fromEntries(
  functionNames
    .filter((name) => permissions[name].record_index)
    .map((name) => [`${name}/record-index`, 'functions/record-index/thread.ts']),
);

/** Writes the cloud assembly to where the CDK's environment says. `replacements` are those of `bundle`; a deployed stage has none. */
export async function synthesizeApp(replacements: Readonly<Record<string, string>> = {}): Promise<void> {
  // The flags come from the file also when no CDK command hands them in, so that one template serves everywhere.
  const app = new App({ context: cdk.context });
  const stage = readStage(app.node);
  const bundles = join(app.outdir, 'bundles');
  await Promise.all([
    bundle(bundles, entries, { replacements, beside: threads }),
    bundleConsole(join(bundles, 'Console', 'assets')),
  ]);
  new ServiceStack(app, stage.stack, {
    stage,
    codeOf: (name) => Code.fromAsset(join(bundles, name)),
    description: 'Asynchronous run service',
  });
  app.synth();
}
