// Task tokens: handed out to waiting tasks, answered by SendTask… calls, gone with the service.
import { randomBytes } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import { type Json, type JsonObject, optionalString } from '../json-values.ts';
import { StateFailure } from './jsonata-template.ts';

/** A token and what becomes of it. */
export interface OpenToken {
  token: string;
  /** Settles with the answer; fails with StateFailure when the task fails or its heartbeat stops. */
  answer: Promise<Json>;
  forget(): void;
}

export interface TaskTokens {
  open(machineArn: string, heartbeatSeconds: number | undefined): OpenToken;
  /** SendTaskSuccess, SendTaskFailure, SendTaskHeartbeat: a token answers once. */
  operations: Record<string, Operation>;
  machineOf(token: string): string | undefined;
}

interface WaitingTask {
  machineArn: string;
  answer(value: Json): void;
  fail(failure: StateFailure): void;
  heartbeat(): void;
}

const TOKEN_BYTES = 48;
const TOKEN = /^[\w-]{64}$/;

/** Starts with no open token: those of an earlier start are gone. */
export function createTaskTokens(): TaskTokens {
  const waiting = new Map<string, WaitingTask>();

  function open(machineArn: string, heartbeatSeconds: number | undefined): OpenToken {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    // A task may end for another reason before anyone listens to its token.
    promise.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const heartbeat = () => {
      clearTimeout(timer);
      const late = () => reject(new StateFailure('States.HeartbeatTimeout', ''));
      if (heartbeatSeconds !== undefined) timer = setTimeout(late, heartbeatSeconds * 1000);
    };
    heartbeat();
    waiting.set(token, { machineArn, answer: resolve, fail: reject, heartbeat });
    const forget = () => {
      clearTimeout(timer);
      waiting.delete(token);
    };
    return { token, answer: promise, forget };
  }

  function find(input: JsonObject): WaitingTask {
    const token = optionalString(input.taskToken) ?? '';
    const found = waiting.get(token);
    if (found) return found;
    if (!TOKEN.test(token)) throw new AwsError('InvalidToken', "Invalid Token: 'Invalid token'");
    throw new AwsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }

  function settle(input: JsonObject, how: (task: WaitingTask) => void): JsonObject {
    how(find(input));
    waiting.delete(optionalString(input.taskToken) ?? '');
    return {};
  }

  return {
    open,
    machineOf: (token) => waiting.get(token)?.machineArn,
    operations: {
      SendTaskSuccess: (input) => settle(input, (task) => task.answer(parsedOutput(input.output))),
      SendTaskFailure: (input) =>
        settle(input, (task) => {
          const error = optionalString(input.error) ?? 'States.TaskFailed';
          task.fail(new StateFailure(error, optionalString(input.cause) ?? ''));
        }),
      SendTaskHeartbeat: (input) => {
        find(input).heartbeat();
        return {};
      },
    },
  };
}

function parsedOutput(output: Json | undefined): Json {
  try {
    return JSON.parse(optionalString(output) ?? '');
  } catch {
    throw new AwsError('InvalidOutput', 'Invalid Output: the output is no JSON.');
  }
}
