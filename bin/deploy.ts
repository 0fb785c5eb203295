// `npm run deploy -- [flags of cdk deploy] [--allow-replacement NAME]…`: deploys the stack, unless a resource with
// state would be replaced or removed. Credentials and region come from the environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { readDeployArguments } from './deploy/arguments.ts';
import { deploy } from './deploy/deploy.ts';

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({ type: z.string(), properties: z.object({ stackName: z.string().optional() }).optional() }),
  ),
});

async function cdk(args: readonly string[]): Promise<number> {
  const [code] = await once(spawn('cdk', args, { stdio: 'inherit' }), 'exit');
  return typeof code === 'number' ? code : 1;
}

function stackName(): string {
  const { artifacts } = Manifest.parse(JSON.parse(readFileSync('cdk.out/manifest.json', 'utf8')));
  const stack = Object.entries(artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack');
  if (!stack) throw new Error('the assembly has no stack');
  const [id, { properties }] = stack;
  return properties?.stackName ?? id;
}

process.exitCode = await deploy(readDeployArguments(process.argv.slice(2)), {
  cdk,
  client: new CloudFormationClient(),
  stackName,
  refuse: (line) => process.stderr.write(`Refused: ${line}\n`),
});
