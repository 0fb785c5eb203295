// Stand-ins for the services beside the table: the state machine, the delivery queue and the key service.
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  ExecutionAlreadyExists,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { SendMessageCommand, type SendMessageCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';

export const sfn = mockClient(SFNClient);
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:runs';

/** Empties the state machine's memory: no execution exists, starting and waking work. Call before each test. */
export function replaceStateMachine(): void {
  Object.assign(process.env, { STATE_MACHINE_ARN: MACHINE, SITE_URL: 'http://127.0.0.1' });
  sfn.reset();
  sfn.on(StartExecutionCommand).callsFake(({ name }) => {
    started.push(name);
    return {};
  });
  sfn.on(SendTaskSuccessCommand).resolves({});
  started.length = 0;
}

const started: string[] = [];

/** Says how the execution of a name stands. */
export function executionIs(name: string, status: 'RUNNING' | 'FAILED' | 'SUCCEEDED'): void {
  const start = sfn.on(StartExecutionCommand, { name });
  if (status === 'RUNNING') start.resolves({ startDate: new Date(Date.now() - 60_000) });
  else start.rejects(new ExecutionAlreadyExists({ message: 'over', $metadata: {} }));
}

/** Lets nothing be learnt of the execution of a name. */
export function executionIsUnknowable(name: string): void {
  sfn.on(StartExecutionCommand, { name }).rejects(new Error('away'));
}

/** Names of the executions that were started. */
export const startedNames = () => started;
export const wokenTokens = () =>
  sfn.commandCalls(SendTaskSuccessCommand).map(({ args }) => args[0].input.taskToken);

const sqs = mockClient(SQSClient);
const kms = mockClient(KMSClient);

/** Empties the queue, which works again. Call before each test. */
export function replaceQueue(): void {
  Object.assign(process.env, {
    DELIVERY_QUEUE_URL: 'http://127.0.0.1/queue',
    RECORD_QUEUE_URL: 'http://127.0.0.1/record-queue',
  });
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
}

/** Lets the secret be read that cursors and tokens are signed with. */
export function giveServiceSecret(): void {
  process.env.SERVICE_SECRET_ARN = 'secret';
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
}

/** Lets the key service open every sealed secret to this text. */
export function openSecrets(plaintext: string): void {
  process.env.SIGNING_KEY_ID = 'key';
  kms.reset();
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from(plaintext) });
}

/** Lets the queue refuse every message. */
export function breakQueue(): void {
  sqs.on(SendMessageCommand).rejects(new Error('queue unreachable'));
}

/** Hands every message to `take` as well; what it throws, the sender meets. */
export function onEnqueue(take: (sent: Enqueued) => Promise<void>): void {
  sqs.on(SendMessageCommand).callsFake(async (input: SendMessageCommandInput) => {
    await take({ message: JSON.parse(input.MessageBody ?? ''), delay: input.DelaySeconds });
    return {};
  });
}

/** Lets the key service refuse. */
export function breakKeys(): void {
  kms.on(DecryptCommand).rejects(new Error('keys unreachable'));
}

export interface Enqueued {
  message: unknown;
  delay: number | undefined;
}

/** What was put on the queue since the last reset. */
export function enqueued(): Enqueued[] {
  return sqs.commandCalls(SendMessageCommand).map(({ args }) => ({
    message: JSON.parse(args[0].input.MessageBody ?? ''),
    delay: args[0].input.DelaySeconds,
  }));
}
