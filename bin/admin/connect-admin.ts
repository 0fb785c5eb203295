// Connects to the admin function of the local service or of a deployed stack, through the same client.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import type { Claim, CommandInput } from '../../functions/admin/commands.ts';
import { awsProblem } from './aws-problem.ts';
import { CliError } from './cli-error.ts';
import type { Target } from './read-arguments.ts';

/**
 * Sends a command and returns the answer. Throws CliError with the service's code, or when the service is unreachable.
 */
export type Send = (command: CommandInput) => Promise<Record<string, unknown>>;

const Access = z.object({
  lambda_endpoint: z.string(),
  region: z.string(),
  access_key_id: z.string(),
  secret_access_key: z.string(),
  functions: z.object({ Admin: z.string() }),
});

/** The answer of the admin function; an `error` is a refusal. */
const Answer = z.record(z.string(), z.unknown());
const Refused = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Connects. Throws CliError `service_not_running`, `stack_not_found`, or what is wrong with AWS. */
export async function connect(target: Target): Promise<Send> {
  const { client, functionName, claimed_caller } =
    'dataDir' in target ? local(target.dataDir) : await deployed(target.stack, target.region);
  const claim: z.input<typeof Claim> = { claimed_caller };
  return async (command) => {
    const payload = JSON.stringify({ ...command, ...claim });
    const { Payload, FunctionError } = await invoke(client, functionName, payload);
    const answer = Answer.parse(JSON.parse(Buffer.from(Payload ?? []).toString()));
    if (FunctionError !== undefined)
      throw new CliError(
        'internal_error',
        `The admin function failed: ${answer.errorMessage ?? FunctionError}`,
      );
    const refused = Refused.safeParse(answer);
    if (refused.success) throw new CliError(refused.data.error.code, refused.data.error.message);
    return answer;
  };
}

async function invoke(client: LambdaClient, FunctionName: string, Payload: string) {
  try {
    return await client.send(new InvokeCommand({ FunctionName, Payload }));
  } catch (error) {
    throw unreachable(error);
  }
}

function unreachable(error: unknown): CliError {
  if (!(error instanceof Error)) return new CliError('internal_error', String(error));
  if ('code' in error && error.code === 'ECONNREFUSED')
    return new CliError('service_not_running', 'The service does not answer: start it again.');
  return awsProblem(error);
}

interface Connection {
  client: LambdaClient;
  functionName: string;
  /** For the log: the ARN of the credentials, on one machine the user's name. Undefined where there is none. */
  claimed_caller: string | undefined;
}

function local(dataDir: string): Connection {
  const access = Access.parse(readAccess(join(dataDir, 'aws.json')));
  const client = new LambdaClient({
    endpoint: access.lambda_endpoint,
    region: access.region,
    credentials: { accessKeyId: access.access_key_id, secretAccessKey: access.secret_access_key },
    ...once,
  });
  return { client, functionName: access.functions.Admin, claimed_caller: userName() };
}

/** The name of this process's user; a container may have a user without one. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** No retries: a command without an answer may have run, and a second key or workspace is worse than an error. */
const once = { maxAttempts: 1 };

function readAccess(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliError(
      'service_not_running',
      `No running service at ${file}: start it, or give its --data-dir.`,
    );
  }
}

async function deployed(stack: string, region: string | undefined): Promise<Connection> {
  const [functionName, claimed_caller] = await Promise.all([
    outputOf('AdminFunctionName', stack, region),
    callerArn(region),
  ]);
  return { client: new LambdaClient({ ...regional(region), ...once }), functionName, claimed_caller };
}

/** The ARN of the credentials. A command does not depend on STS: without an answer it is sent without a claim. */
async function callerArn(region: string | undefined): Promise<string | undefined> {
  try {
    const requestHandler = { connectionTimeout: 3000, requestTimeout: 5000, throwOnRequestTimeout: true };
    const sts = new STSClient({ ...regional(region), ...once, requestHandler });
    return (await sts.send(new GetCallerIdentityCommand())).Arn;
  } catch {
    return undefined;
  }
}

const regional = (region: string | undefined) => (region === undefined ? {} : { region });

/** An output of a deployed stack. Throws CliError `stack_not_found`. */
export async function outputOf(name: string, stack: string, region: string | undefined): Promise<string> {
  const value = await readOutput(name, stack, region);
  if (value !== undefined) return value;
  throw new CliError('stack_not_found', `The stack ${stack} has no output ${name}.`);
}

async function readOutput(name: string, StackName: string, region: string | undefined) {
  try {
    const client = new CloudFormationClient(regional(region));
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  } catch (error) {
    const isUnknown = error instanceof Error && /does not exist/.test(error.message);
    throw isUnknown
      ? new CliError('stack_not_found', `There is no stack ${StackName} here.`)
      : awsProblem(error);
  }
}
