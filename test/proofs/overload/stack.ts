// A small stack in virtual time: workspaces with slots, functions with a limit, the state machine's own retries.
import {
  ExecutionAlreadyExists,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Aws } from 'aws-cdk-lib';
import { mockClient } from 'aws-sdk-client-mock';
import { builtInPrices } from '#contract/prices.ts';
import { type ExecutionKey, RunKey } from '#contract/run-keys.ts';
import type { Waiting } from '#contract/runs.ts';
import { executeSlice, type NextAction, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { parkRun } from '#domain/execution/park-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import { createSlots } from '#models/ai-sdk/slots.ts';
import type { Model } from '#models/model.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { runMachine } from '../../../lib/constructs/run-machine.ts';
import {
  matchesError,
  type Retrier,
  readMachine,
  retryDelaySeconds,
} from '../../../lib/local/step-functions/asl.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import type { Scheduler } from '../sim/scheduler.ts';

const SWEEP_MS = 60_000;
const SLICE_MS = 600_000;
const PARALLEL_CALLS = 3;
const PARK_MS = 3600_000;
/** The stage's default. */
const MODEL_WAIT_SECONDS = 3600;

const lambda = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const tasks = { executeSteps: lambda('E'), parkRun: lambda('P'), failRun: lambda('F') };
const definition = JSON.stringify(runMachine(tasks)).replaceAll(Aws.PARTITION, 'aws');
const first = readMachine(definition, 'runs').states.get('ExecuteSteps');
const retriers: Retrier[] = first?.type === 'Task' ? first.retry : [];

export interface Stack {
  setting: SliceSetting;
  /** Resolves when the execution of this name has ended. */
  ended(execution: string): Promise<void>;
  /** How often a task found no function free. */
  crowded: number;
  /** When executions began to wait for the model, epoch ms. */
  waits: number[];
  stop(): void;
}

/** The model as one process asks it. */
function throughSlots(model: Model): Model {
  const inSlot = createSlots(PARALLEL_CALLS);
  return { ...model, call: (...asked) => inSlot(() => model.call(...asked), asked[3].signal) };
}

/** No function is free. */
class TooMany extends Error {
  override readonly name = 'Lambda.TooManyRequestsException';
}

const nameOf = (error: unknown) =>
  isServiceTrouble(error) ? 'ServiceTrouble' : error instanceof Error ? error.name : 'Unknown';

/** Starts the functions and the sweep; at most `functions` slices run at once. */
export function startStack(scheduler: Scheduler, model: Model, functions: number): Stack {
  const endings = new Map<string, PromiseWithResolvers<void>>();
  const executions = new Map<string, { startDate: Date; over: boolean }>();
  const tokens = new Map<string, () => void>();
  // Each function is a process, which asks the provider as its slots allow (rules.md: models 8).
  const idle = Array.from({ length: functions }, () => throughSlots(model));
  let over = false;
  const ending = (name: string) => {
    const known = endings.get(name) ?? Promise.withResolvers<void>();
    endings.set(name, known);
    return known;
  };
  const stack: Stack = {
    setting: {
      model,
      prices: builtInPrices,
      max_parallel_calls: PARALLEL_CALLS,
      model_wait_seconds: MODEL_WAIT_SECONDS,
      slice_ms: SLICE_MS,
      steps_per_slice: undefined,
      sourcesFor: (run) => sourcesOf(run, async (texts) => texts.map(() => [1])),
    },
    ended: (name) => ending(name).promise,
    crowded: 0,
    waits: [],
    stop: () => {
      over = true;
    },
  };

  async function invoked<T>(work: (model: Model) => Promise<T>): Promise<T> {
    const free = idle.shift();
    if (!free) {
      stack.crowded += 1;
      throw new TooMany();
    }
    return work(free).finally(() => void idle.push(free));
  }

  /** A task of the state machine, tried again by its rules. */
  async function task<T>(work: (model: Model) => Promise<T>): Promise<T> {
    const failures = new Map<Retrier, number>();
    for (;;) {
      try {
        return await invoked(work);
      } catch (error) {
        const rule = retriers.find(({ errors }) => matchesError(errors, nameOf(error)));
        const failed = rule ? (failures.get(rule) ?? 0) + 1 : 0;
        if (!rule || failed > rule.maxAttempts) throw error;
        failures.set(rule, failed);
        await scheduler.sleep(retryDelaySeconds(rule, failed) * 1000);
      }
    }
  }

  async function waits(key: ExecutionKey, { until = Number.POSITIVE_INFINITY }: Waiting): Promise<void> {
    stack.waits.push(Date.now());
    const token = `token ${stack.waits.length}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    tokens.set(token, resolve);
    const wait_ms = Math.min(until - Date.now(), PARK_MS);
    await task(() => parkRun(key, token, wait_ms / 1000));
    await Promise.race([promise, scheduler.sleep(wait_ms)]);
    tokens.delete(token);
  }

  async function execute(key: ExecutionKey): Promise<void> {
    try {
      for (let next: NextAction = 'continue'; next !== 'end'; ) {
        next = await task((own) => executeSlice(key, { ...stack.setting, model: own }));
        if (typeof next === 'object') await waits(key, next);
      }
    } catch (error) {
      await failRun(key, nameOf(error));
    }
  }

  mockClient(SQSClient);
  mockClient(SFNClient)
    .on(StartExecutionCommand)
    .callsFake(async ({ name, input }) => {
      const known = executions.get(name);
      if (known?.over) throw new ExecutionAlreadyExists({ message: name, $metadata: {} });
      const execution = known ?? { startDate: new Date(Date.now()), over: false };
      executions.set(name, execution);
      if (!known)
        void execute({ ...RunKey.parse(JSON.parse(input)), execution: name }).finally(() => {
          execution.over = true;
          ending(name).resolve();
        });
      return { startDate: execution.startDate };
    })
    .on(SendTaskSuccessCommand)
    .callsFake(async ({ taskToken }) => {
      const wake = tokens.get(taskToken);
      if (!wake) throw new TaskTimedOut({ message: taskToken, $metadata: {} });
      wake();
      return {};
    });

  async function sweepEveryMinute(): Promise<void> {
    while (!over) {
      await scheduler.sleep(SWEEP_MS);
      const time = sweepTime(Date.now());
      await Promise.all([sweepRuns(time), sweepSlots(time)]);
    }
  }
  void sweepEveryMinute();
  return stack;
}
