// `npm run deploy -- [flags of cdk deploy] [--allow-replacement NAME]…`: deploys the stack, unless a resource with
// state would be replaced or removed. Credentials and region come from the environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import project from '../package.json' with { type: 'json' };
import { readDeployArguments } from './deploy/arguments.ts';
import { missingAccount } from './deploy/credentials.ts';
import { deploy } from './deploy/deploy.ts';
import { usagePage } from './deploy/usage-page.ts';

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

const STS_TIMEOUTS = { connectionTimeout: 3000, requestTimeout: 5000, throwOnRequestTimeout: true };

/** The exit code. Nothing is built without an account to deploy into. */
async function main(args: readonly string[]): Promise<number> {
  const asked = readDeployArguments(args);
  if (asked.help) {
    process.stdout.write(usagePage());
    return 0;
  }
  // The clients here read it where the CDK reads the flag.
  if (asked.profile !== undefined) process.env.AWS_PROFILE = asked.profile;
  const missing = await missingAccount(new STSClient({ maxAttempts: 1, requestHandler: STS_TIMEOUTS }));
  if (missing !== undefined) {
    process.stderr.write(`${missing}\n`);
    return 2;
  }
  const refuse = (line: string) => process.stderr.write(`Refused: ${line}\n`);
  const client = new CloudFormationClient();
  return deploy(asked, { cdk, client, stackName, release: project.version, refuse });
}

process.exitCode = await main(process.argv.slice(2));
