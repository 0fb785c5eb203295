// Task tokens: given to waiting tasks, answered by SendTaskSuccess, lost when the service stops.
import { randomBytes } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import { type Json, type JsonObject, optionalString } from '../json-values.ts';

/** A token and its answer. */
interface OpenToken {
  token: string;
  /** Resolves with the answer. */
  answer: Promise<Json>;
  forget(): void;
}

export interface TaskTokens {
  open(machineArn: string): OpenToken;
  /** SendTaskSuccess. A token is answered once. */
  operations: Record<string, Operation>;
  machineOf(token: string): string | undefined;
}

interface WaitingTask {
  machineArn: string;
  answer(value: Json): void;
}

const TOKEN_BYTES = 48;
const TOKEN = /^[\w-]{64}$/;

/** Starts with no tokens: those of an earlier start are gone. */
export function createTaskTokens(): TaskTokens {
  const waiting = new Map<string, WaitingTask>();

  function open(machineArn: string): OpenToken {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { promise, resolve } = Promise.withResolvers<Json>();
    waiting.set(token, { machineArn, answer: resolve });
    return { token, answer: promise, forget: () => waiting.delete(token) };
  }

  function sendTaskSuccess(input: JsonObject): JsonObject {
    const token = optionalString(input.taskToken) ?? '';
    const task = waiting.get(token);
    if (!task && !TOKEN.test(token)) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
    if (!task) throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
    task.answer(parsedOutput(input.output));
    waiting.delete(token);
    return {};
  }

  return {
    open,
    machineOf: (token) => waiting.get(token)?.machineArn,
    operations: { SendTaskSuccess: sendTaskSuccess },
  };
}

function parsedOutput(output: Json | undefined): Json {
  try {
    return JSON.parse(optionalString(output) ?? '');
  } catch {
    throw new AwsError('InvalidOutput', 'Invalid Output: the output is not JSON.');
  }
}
