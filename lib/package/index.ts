// The construct as a package has it: with functions that are built.
import './check-peers.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { RunServiceProps } from '../props.ts';
import { RunService as Service } from '../run-service.ts';

const functions = join(import.meta.dirname, 'functions');
const { version: release } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));

/** The run service. Throws an error that names each wrong prop. */
export class RunService extends Service {
  constructor(scope: Construct, id: string, props: RunServiceProps) {
    // JavaScript may leave the props out: the settings that must be there are then named.
    super(scope, id, Object(props), {
      sourceOf: (name) => ({ code: Code.fromAsset(join(functions, name)), handler: 'index.handler' }),
      release,
    });
  }
}
