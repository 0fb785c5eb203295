// The CDK app: bundles the functions and synthesizes the stack `RunService`.
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import cdk from '../cdk.json' with { type: 'json' };
import { bundle } from '../lib/bundle.ts';
import { entries } from '../lib/entries.ts';
import { ServiceStack } from '../lib/service-stack.ts';
import { readStage } from '../lib/stage.ts';

// The flags come from the file also when no CDK command hands them in, so that one template serves everywhere.
const app = new App({ context: cdk.context });
const stage = readStage(app.node);
const bundles = join(app.outdir, 'bundles');
await bundle(bundles, entries);
new ServiceStack(app, 'RunService', {
  stage,
  codeOf: (name) => Code.fromAsset(join(bundles, name)),
  description: 'Asynchronous run service',
});
app.synth();
