// A template that needs no bootstrap and no CDK: its functions are zips in a bucket of the publisher, and a Terraform
// module that makes a stack of it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type Zippable, zipSync } from 'fflate';
import { RunService } from '../../../lib/run-service.ts';
import { MODELS, PRICES, stand_in, withParameters } from './parameters.ts';
import { terraformModule } from './terraform.ts';

/** CloudFormation takes no larger template from a bucket. */
const TEMPLATE_MAX_BYTES = 1_000_000;
const FILE = 'run-service.template.json';
/** The same functions make the same zips. */
const MADE_AT = new Date(1980, 0, 1);
/** Of a regular file that everybody may read, as Unix has it. */
const READABLE = 0o100644 << 16;
const UNIX = 3;

export interface TemplateOrder {
  /** The folder of the built functions, one folder each. */
  functions: string;
  /** Where the folders `template` and `terraform` go. */
  to: string;
  version: string;
  /** The buckets with the zips have this name, a hyphen and their region. */
  bucketPrefix: string;
}

/** Writes the template with its zips, and the module. */
export function makeTemplate({ functions, to, version, bucketPrefix }: TemplateOrder): void {
  const outdir = mkdtempSync(join(tmpdir(), 'run-service-template-'));
  try {
    const app = new App({
      outdir,
      analyticsReporting: false,
      context: { 'aws:cdk:disable-stack-trace': true },
    });
    const props = {
      model: MODELS,
      prices: PRICES,
      retainDays: stand_in.retain_days,
      logRetentionDays: stand_in.log_retention_days,
      stepMemoryMb: stand_in.step_memory_mb,
      indexMemoryMb: stand_in.index_memory_mb,
      description: 'Asynchronous run service',
      synthesizer: new DefaultStackSynthesizer({
        fileAssetsBucketName: `${bucketPrefix}-\${AWS::Region}`,
        bucketPrefix: `${version}/`,
        generateBootstrapVersionRule: false,
      }),
    };
    new RunService(app, 'RunService', props, {
      sourceOf: (name) => ({ code: Code.fromAsset(join(functions, name)), handler: 'index.handler' }),
      release: version,
    });
    const { template } = app.synth().getStackByName('RunService');
    const text = JSON.stringify(withParameters(template));
    if (Buffer.byteLength(text) > TEMPLATE_MAX_BYTES)
      throw new Error(`the template has ${Buffer.byteLength(text)} bytes, more than ${TEMPLATE_MAX_BYTES}`);
    const zips = join(to, 'template', version);
    mkdirSync(zips, { recursive: true });
    writeFileSync(join(to, 'template', FILE), text);
    for (const asset of readdirSync(outdir).filter((name) => name.startsWith('asset.'))) {
      const folder = join(outdir, asset);
      if (!statSync(folder).isDirectory()) continue;
      const name = `${asset.slice('asset.'.length)}.zip`;
      if (text.includes(name)) writeFileSync(join(zips, name), zipOf(folder));
    }
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
  mkdirSync(join(to, 'terraform'));
  writeFileSync(join(to, 'terraform/main.tf'), terraformModule({ bucketPrefix, key: `${version}/${FILE}` }));
}

function zipOf(folder: string): Uint8Array {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  const entries: Zippable = Object.fromEntries(
    paths.map((path) => [
      path.slice(folder.length + 1).replaceAll('\\', '/'),
      [readFileSync(path), { mtime: MADE_AT, attrs: READABLE, os: UNIX }],
    ]),
  );
  return zipSync(entries, { level: 9 });
}
