// Fakes for the services other than the table: state machine, delivery queue, key service.
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

/** Resets the state machine: no executions exist; starting and waking work. Call before each test. */
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

/** Sets the status of a named execution. */
export function executionIs(name: string, status: 'RUNNING' | 'FAILED' | 'SUCCEEDED'): void {
  const start = sfn.on(StartExecutionCommand, { name });
  if (status === 'RUNNING') start.resolves({ startDate: new Date(Date.now() - 60_000) });
  else start.rejects(new ExecutionAlreadyExists({ message: 'over', $metadata: {} }));
}

/** Makes the status of a named execution unavailable. */
export function executionIsUnknowable(name: string): void {
  sfn.on(StartExecutionCommand, { name }).rejects(new Error('away'));
}

/** Names of the started executions. */
export const startedNames = () => started;
export const wokenTokens = () =>
  sfn.commandCalls(SendTaskSuccessCommand).map(({ args }) => args[0].input.taskToken);

const sqs = mockClient(SQSClient);
const kms = mockClient(KMSClient);

/** Resets the queue. Call before each test. */
export function replaceQueue(): void {
  Object.assign(process.env, {
    DELIVERY_QUEUE_URL: 'http://127.0.0.1/queue',
    COMPACTION_QUEUE_URL: 'http://127.0.0.1/compaction-queue',
    AUDIT_QUEUE_URL: 'http://127.0.0.1/audit-queue',
    FIRE_QUEUE_URL: 'http://127.0.0.1/fire-queue',
  });
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
}

/** Provides the secret that signs cursors and tokens. */
export function giveServiceSecret(): void {
  process.env.SERVICE_SECRET_ARN = 'secret';
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'secret' });
}

/** Makes the key service decrypt every sealed secret to this text. */
export function openSecrets(plaintext: string): void {
  process.env.SIGNING_KEY_ID = 'key';
  kms.reset();
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from(plaintext) });
}

/** Makes the queue refuse every message. */
export function breakQueue(): void {
  sqs.on(SendMessageCommand).rejects(new Error('queue unreachable'));
}

/** Also passes every message to `take`; the sender gets its errors. */
export function onEnqueue(take: (sent: Enqueued) => Promise<void>): void {
  sqs.on(SendMessageCommand).callsFake(async (input: SendMessageCommandInput) => {
    await take({ message: JSON.parse(input.MessageBody ?? ''), delay: input.DelaySeconds });
    return {};
  });
}

/** Makes the key service fail. */
export function breakKeys(): void {
  kms.on(DecryptCommand).rejects(new Error('keys unreachable'));
}

export interface Enqueued {
  message: unknown;
  delay: number | undefined;
}

/** Messages enqueued since the last reset. */
export function enqueued(): Enqueued[] {
  return sqs.commandCalls(SendMessageCommand).map(({ args }) => ({
    message: JSON.parse(args[0].input.MessageBody ?? ''),
    delay: args[0].input.DelaySeconds,
  }));
}
